// Generated from src/spec/aaif/handoff-message.schema.ts by `npm run generate`. Do not edit.
"use strict";
export const validate = validate20;
export default validate20;
const schema31 = {"$schema":"https://json-schema.org/draft/2020-12/schema","$id":"urn:waybill:schema:aaif:handoff-message:3.4.0","type":"object","required":["type"],"oneOf":[{"$ref":"#/$defs/HandoffInit"},{"$ref":"#/$defs/ContextChunk"},{"$ref":"#/$defs/StreamedMemory"},{"$ref":"#/$defs/PipelineState"},{"$ref":"#/$defs/PendingTool"},{"$ref":"#/$defs/SubagentRef"},{"$ref":"#/$defs/HandoffComplete"},{"$ref":"#/$defs/HandoffError"}],"$defs":{"HandoffInit":{"type":"object","required":["type","state_id","agent_id","run_id","source_platform","migration_token"],"properties":{"type":{"const":"handoff_init"},"state_id":{"type":"string"},"agent_id":{"type":"string"},"run_id":{"type":"string"},"source_platform":{"type":"string"},"migration_token":{"type":"string"},"checkpoint_at":{"type":"string"}}},"ContextChunk":{"type":"object","required":["type","index","messages"],"properties":{"type":{"const":"context_chunk"},"index":{"type":"integer","minimum":0},"messages":{"type":"array","items":{"$ref":"#/$defs/StateMessage"}}}},"StreamedMemory":{"type":"object","required":["type","scope","key","content"],"properties":{"type":{"const":"memory_item"},"scope":{"type":"string","enum":["user","session","task","long_term"]},"key":{"type":"string"},"content":{"type":"string"},"backend":{"type":"string"},"captured_at":{"type":"string"},"ttl_remaining_seconds":{"type":"integer"}}},"PipelineState":{"type":"object","required":["type","pipeline_position","variables","iteration"],"properties":{"type":{"const":"pipeline_state"},"pipeline_position":{"$ref":"#/$defs/PipelinePosition"},"variables":{"type":"object"},"iteration":{"type":"integer","minimum":0}}},"PendingTool":{"type":"object","required":["type","id","tool_name","arguments","status"],"properties":{"type":{"const":"pending_tool"},"id":{"type":"string"},"tool_name":{"type":"string"},"arguments":{"type":"object"},"status":{"type":"string","enum":["pending","in_flight","awaiting_result"]},"submitted_at":{"type":"string"},"callback_url":{"type":"string"}}},"SubagentRef":{"type":"object","required":["type","alias","agent_id","state_id"],"properties":{"type":{"const":"subagent_ref"},"alias":{"type":"string"},"agent_id":{"type":"string"},"state_id":{"type":"string"}}},"HandoffComplete":{"type":"object","required":["type","checksum"],"properties":{"type":{"const":"handoff_complete"},"checksum":{"type":"string"}}},"HandoffError":{"type":"object","required":["type","code","message"],"properties":{"type":{"const":"handoff_error"},"code":{"type":"string"},"message":{"type":"string"}}},"StateMessage":{"type":"object","required":["role","content"],"properties":{"role":{"type":"string","enum":["system","user","assistant","tool"]},"content":{"type":"string"},"tool_call_id":{"type":"string"},"tool_name":{"type":"string"},"token_count":{"type":"integer"},"timestamp":{"type":"string"}},"additionalProperties":false},"PipelinePosition":{"type":"object","properties":{"current_step":{"type":"string"},"completed_steps":{"type":"array","items":{"type":"string"}},"remaining_steps":{"type":"array","items":{"type":"string"}},"current_subagent":{"type":"string"},"parallel_slot":{"type":"integer"}},"additionalProperties":false}},"discriminator":{"propertyName":"type"}};
const schema36 = {"type":"object","required":["type","state_id","agent_id","run_id","source_platform","migration_token"],"properties":{"type":{"const":"handoff_init"},"state_id":{"type":"string"},"agent_id":{"type":"string"},"run_id":{"type":"string"},"source_platform":{"type":"string"},"migration_token":{"type":"string"},"checkpoint_at":{"type":"string"}}};
const schema37 = {"type":"object","required":["type","scope","key","content"],"properties":{"type":{"const":"memory_item"},"scope":{"type":"string","enum":["user","session","task","long_term"]},"key":{"type":"string"},"content":{"type":"string"},"backend":{"type":"string"},"captured_at":{"type":"string"},"ttl_remaining_seconds":{"type":"integer"}}};
const schema38 = {"type":"object","required":["type","id","tool_name","arguments","status"],"properties":{"type":{"const":"pending_tool"},"id":{"type":"string"},"tool_name":{"type":"string"},"arguments":{"type":"object"},"status":{"type":"string","enum":["pending","in_flight","awaiting_result"]},"submitted_at":{"type":"string"},"callback_url":{"type":"string"}}};
const schema39 = {"type":"object","required":["type","alias","agent_id","state_id"],"properties":{"type":{"const":"subagent_ref"},"alias":{"type":"string"},"agent_id":{"type":"string"},"state_id":{"type":"string"}}};
const schema40 = {"type":"object","required":["type","checksum"],"properties":{"type":{"const":"handoff_complete"},"checksum":{"type":"string"}}};
const schema41 = {"type":"object","required":["type","code","message"],"properties":{"type":{"const":"handoff_error"},"code":{"type":"string"},"message":{"type":"string"}}};
const func0 = Object.prototype.hasOwnProperty;
const schema32 = {"type":"object","required":["type","index","messages"],"properties":{"type":{"const":"context_chunk"},"index":{"type":"integer","minimum":0},"messages":{"type":"array","items":{"$ref":"#/$defs/StateMessage"}}}};
const schema33 = {"type":"object","required":["role","content"],"properties":{"role":{"type":"string","enum":["system","user","assistant","tool"]},"content":{"type":"string"},"tool_call_id":{"type":"string"},"tool_name":{"type":"string"},"token_count":{"type":"integer"},"timestamp":{"type":"string"}},"additionalProperties":false};

function validate21(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate21.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(data && typeof data == "object" && !Array.isArray(data)){
if((data.type === undefined) || (!(func0.call(data, "type")))){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "type"},message:"must have required property '"+"type"+"'"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if((data.index === undefined) || (!(func0.call(data, "index")))){
const err1 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "index"},message:"must have required property '"+"index"+"'"};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
if((data.messages === undefined) || (!(func0.call(data, "messages")))){
const err2 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "messages"},message:"must have required property '"+"messages"+"'"};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
if(data.type !== undefined && func0.call(data, "type")){
if("context_chunk" !== data.type){
const err3 = {instancePath:instancePath+"/type",schemaPath:"#/properties/type/const",keyword:"const",params:{allowedValue: "context_chunk"},message:"must be equal to constant"};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
}
if(data.index !== undefined && func0.call(data, "index")){
let data1 = data.index;
if(!(((typeof data1 == "number") && (!(data1 % 1) && !isNaN(data1))) && (isFinite(data1)))){
const err4 = {instancePath:instancePath+"/index",schemaPath:"#/properties/index/type",keyword:"type",params:{type: "integer"},message:"must be integer"};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
if((typeof data1 == "number") && (isFinite(data1))){
if(data1 < 0 || isNaN(data1)){
const err5 = {instancePath:instancePath+"/index",schemaPath:"#/properties/index/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
}
}
if(data.messages !== undefined && func0.call(data, "messages")){
let data2 = data.messages;
if(Array.isArray(data2)){
const len0 = data2.length;
for(let i0=0; i0<len0; i0++){
let data3 = data2[i0];
if(data3 && typeof data3 == "object" && !Array.isArray(data3)){
if((data3.role === undefined) || (!(func0.call(data3, "role")))){
const err6 = {instancePath:instancePath+"/messages/" + i0,schemaPath:"#/$defs/StateMessage/required",keyword:"required",params:{missingProperty: "role"},message:"must have required property '"+"role"+"'"};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
if((data3.content === undefined) || (!(func0.call(data3, "content")))){
const err7 = {instancePath:instancePath+"/messages/" + i0,schemaPath:"#/$defs/StateMessage/required",keyword:"required",params:{missingProperty: "content"},message:"must have required property '"+"content"+"'"};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
for(const key0 of Object.keys(data3)){
if(!((((((key0 === "role") || (key0 === "content")) || (key0 === "tool_call_id")) || (key0 === "tool_name")) || (key0 === "token_count")) || (key0 === "timestamp"))){
const err8 = {instancePath:instancePath+"/messages/" + i0,schemaPath:"#/$defs/StateMessage/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
}
if(data3.role !== undefined && func0.call(data3, "role")){
let data4 = data3.role;
if(typeof data4 !== "string"){
const err9 = {instancePath:instancePath+"/messages/" + i0+"/role",schemaPath:"#/$defs/StateMessage/properties/role/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
if(!((((data4 === "system") || (data4 === "user")) || (data4 === "assistant")) || (data4 === "tool"))){
const err10 = {instancePath:instancePath+"/messages/" + i0+"/role",schemaPath:"#/$defs/StateMessage/properties/role/enum",keyword:"enum",params:{allowedValues: schema33.properties.role.enum},message:"must be equal to one of the allowed values"};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
}
}
if(data3.content !== undefined && func0.call(data3, "content")){
if(typeof data3.content !== "string"){
const err11 = {instancePath:instancePath+"/messages/" + i0+"/content",schemaPath:"#/$defs/StateMessage/properties/content/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err11];
}
else {
vErrors.push(err11);
}
errors++;
}
}
if(data3.tool_call_id !== undefined && func0.call(data3, "tool_call_id")){
if(typeof data3.tool_call_id !== "string"){
const err12 = {instancePath:instancePath+"/messages/" + i0+"/tool_call_id",schemaPath:"#/$defs/StateMessage/properties/tool_call_id/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err12];
}
else {
vErrors.push(err12);
}
errors++;
}
}
if(data3.tool_name !== undefined && func0.call(data3, "tool_name")){
if(typeof data3.tool_name !== "string"){
const err13 = {instancePath:instancePath+"/messages/" + i0+"/tool_name",schemaPath:"#/$defs/StateMessage/properties/tool_name/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err13];
}
else {
vErrors.push(err13);
}
errors++;
}
}
if(data3.token_count !== undefined && func0.call(data3, "token_count")){
let data8 = data3.token_count;
if(!(((typeof data8 == "number") && (!(data8 % 1) && !isNaN(data8))) && (isFinite(data8)))){
const err14 = {instancePath:instancePath+"/messages/" + i0+"/token_count",schemaPath:"#/$defs/StateMessage/properties/token_count/type",keyword:"type",params:{type: "integer"},message:"must be integer"};
if(vErrors === null){
vErrors = [err14];
}
else {
vErrors.push(err14);
}
errors++;
}
}
if(data3.timestamp !== undefined && func0.call(data3, "timestamp")){
if(typeof data3.timestamp !== "string"){
const err15 = {instancePath:instancePath+"/messages/" + i0+"/timestamp",schemaPath:"#/$defs/StateMessage/properties/timestamp/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err15];
}
else {
vErrors.push(err15);
}
errors++;
}
}
}
else {
const err16 = {instancePath:instancePath+"/messages/" + i0,schemaPath:"#/$defs/StateMessage/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err16];
}
else {
vErrors.push(err16);
}
errors++;
}
}
}
else {
const err17 = {instancePath:instancePath+"/messages",schemaPath:"#/properties/messages/type",keyword:"type",params:{type: "array"},message:"must be array"};
if(vErrors === null){
vErrors = [err17];
}
else {
vErrors.push(err17);
}
errors++;
}
}
}
else {
const err18 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err18];
}
else {
vErrors.push(err18);
}
errors++;
}
validate21.errors = vErrors;
return errors === 0;
}
validate21.evaluated = {"props":{"type":true,"index":true,"messages":true},"dynamicProps":false,"dynamicItems":false};

const schema34 = {"type":"object","required":["type","pipeline_position","variables","iteration"],"properties":{"type":{"const":"pipeline_state"},"pipeline_position":{"$ref":"#/$defs/PipelinePosition"},"variables":{"type":"object"},"iteration":{"type":"integer","minimum":0}}};
const schema35 = {"type":"object","properties":{"current_step":{"type":"string"},"completed_steps":{"type":"array","items":{"type":"string"}},"remaining_steps":{"type":"array","items":{"type":"string"}},"current_subagent":{"type":"string"},"parallel_slot":{"type":"integer"}},"additionalProperties":false};

function validate22(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate22.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(data && typeof data == "object" && !Array.isArray(data)){
if((data.type === undefined) || (!(func0.call(data, "type")))){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "type"},message:"must have required property '"+"type"+"'"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if((data.pipeline_position === undefined) || (!(func0.call(data, "pipeline_position")))){
const err1 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "pipeline_position"},message:"must have required property '"+"pipeline_position"+"'"};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
if((data.variables === undefined) || (!(func0.call(data, "variables")))){
const err2 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "variables"},message:"must have required property '"+"variables"+"'"};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
if((data.iteration === undefined) || (!(func0.call(data, "iteration")))){
const err3 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "iteration"},message:"must have required property '"+"iteration"+"'"};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
if(data.type !== undefined && func0.call(data, "type")){
if("pipeline_state" !== data.type){
const err4 = {instancePath:instancePath+"/type",schemaPath:"#/properties/type/const",keyword:"const",params:{allowedValue: "pipeline_state"},message:"must be equal to constant"};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
}
if(data.pipeline_position !== undefined && func0.call(data, "pipeline_position")){
let data1 = data.pipeline_position;
if(data1 && typeof data1 == "object" && !Array.isArray(data1)){
for(const key0 of Object.keys(data1)){
if(!(((((key0 === "current_step") || (key0 === "completed_steps")) || (key0 === "remaining_steps")) || (key0 === "current_subagent")) || (key0 === "parallel_slot"))){
const err5 = {instancePath:instancePath+"/pipeline_position",schemaPath:"#/$defs/PipelinePosition/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
}
if(data1.current_step !== undefined && func0.call(data1, "current_step")){
if(typeof data1.current_step !== "string"){
const err6 = {instancePath:instancePath+"/pipeline_position/current_step",schemaPath:"#/$defs/PipelinePosition/properties/current_step/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
}
if(data1.completed_steps !== undefined && func0.call(data1, "completed_steps")){
let data3 = data1.completed_steps;
if(Array.isArray(data3)){
const len0 = data3.length;
for(let i0=0; i0<len0; i0++){
if(typeof data3[i0] !== "string"){
const err7 = {instancePath:instancePath+"/pipeline_position/completed_steps/" + i0,schemaPath:"#/$defs/PipelinePosition/properties/completed_steps/items/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
}
}
else {
const err8 = {instancePath:instancePath+"/pipeline_position/completed_steps",schemaPath:"#/$defs/PipelinePosition/properties/completed_steps/type",keyword:"type",params:{type: "array"},message:"must be array"};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
}
if(data1.remaining_steps !== undefined && func0.call(data1, "remaining_steps")){
let data5 = data1.remaining_steps;
if(Array.isArray(data5)){
const len1 = data5.length;
for(let i1=0; i1<len1; i1++){
if(typeof data5[i1] !== "string"){
const err9 = {instancePath:instancePath+"/pipeline_position/remaining_steps/" + i1,schemaPath:"#/$defs/PipelinePosition/properties/remaining_steps/items/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
}
}
else {
const err10 = {instancePath:instancePath+"/pipeline_position/remaining_steps",schemaPath:"#/$defs/PipelinePosition/properties/remaining_steps/type",keyword:"type",params:{type: "array"},message:"must be array"};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
}
}
if(data1.current_subagent !== undefined && func0.call(data1, "current_subagent")){
if(typeof data1.current_subagent !== "string"){
const err11 = {instancePath:instancePath+"/pipeline_position/current_subagent",schemaPath:"#/$defs/PipelinePosition/properties/current_subagent/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err11];
}
else {
vErrors.push(err11);
}
errors++;
}
}
if(data1.parallel_slot !== undefined && func0.call(data1, "parallel_slot")){
let data8 = data1.parallel_slot;
if(!(((typeof data8 == "number") && (!(data8 % 1) && !isNaN(data8))) && (isFinite(data8)))){
const err12 = {instancePath:instancePath+"/pipeline_position/parallel_slot",schemaPath:"#/$defs/PipelinePosition/properties/parallel_slot/type",keyword:"type",params:{type: "integer"},message:"must be integer"};
if(vErrors === null){
vErrors = [err12];
}
else {
vErrors.push(err12);
}
errors++;
}
}
}
else {
const err13 = {instancePath:instancePath+"/pipeline_position",schemaPath:"#/$defs/PipelinePosition/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err13];
}
else {
vErrors.push(err13);
}
errors++;
}
}
if(data.variables !== undefined && func0.call(data, "variables")){
let data9 = data.variables;
if(!(data9 && typeof data9 == "object" && !Array.isArray(data9))){
const err14 = {instancePath:instancePath+"/variables",schemaPath:"#/properties/variables/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err14];
}
else {
vErrors.push(err14);
}
errors++;
}
}
if(data.iteration !== undefined && func0.call(data, "iteration")){
let data10 = data.iteration;
if(!(((typeof data10 == "number") && (!(data10 % 1) && !isNaN(data10))) && (isFinite(data10)))){
const err15 = {instancePath:instancePath+"/iteration",schemaPath:"#/properties/iteration/type",keyword:"type",params:{type: "integer"},message:"must be integer"};
if(vErrors === null){
vErrors = [err15];
}
else {
vErrors.push(err15);
}
errors++;
}
if((typeof data10 == "number") && (isFinite(data10))){
if(data10 < 0 || isNaN(data10)){
const err16 = {instancePath:instancePath+"/iteration",schemaPath:"#/properties/iteration/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"};
if(vErrors === null){
vErrors = [err16];
}
else {
vErrors.push(err16);
}
errors++;
}
}
}
}
else {
const err17 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err17];
}
else {
vErrors.push(err17);
}
errors++;
}
validate22.errors = vErrors;
return errors === 0;
}
validate22.evaluated = {"props":{"type":true,"pipeline_position":true,"variables":true,"iteration":true},"dynamicProps":false,"dynamicItems":false};


function validate20(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
/*# sourceURL="urn:waybill:schema:aaif:handoff-message:3.4.0" */;
let vErrors = null;
let errors = 0;
const evaluated0 = validate20.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(data && typeof data == "object" && !Array.isArray(data)){
if((data.type === undefined) || (!(func0.call(data, "type")))){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "type"},message:"must have required property '"+"type"+"'"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
const tag0 = data.type;
if(typeof tag0 == "string"){
if(tag0 === "handoff_init"){
if(data && typeof data == "object" && !Array.isArray(data)){
if((data.type === undefined) || (!(func0.call(data, "type")))){
const err1 = {instancePath,schemaPath:"#/$defs/HandoffInit/required",keyword:"required",params:{missingProperty: "type"},message:"must have required property '"+"type"+"'"};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
if((data.state_id === undefined) || (!(func0.call(data, "state_id")))){
const err2 = {instancePath,schemaPath:"#/$defs/HandoffInit/required",keyword:"required",params:{missingProperty: "state_id"},message:"must have required property '"+"state_id"+"'"};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
if((data.agent_id === undefined) || (!(func0.call(data, "agent_id")))){
const err3 = {instancePath,schemaPath:"#/$defs/HandoffInit/required",keyword:"required",params:{missingProperty: "agent_id"},message:"must have required property '"+"agent_id"+"'"};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
if((data.run_id === undefined) || (!(func0.call(data, "run_id")))){
const err4 = {instancePath,schemaPath:"#/$defs/HandoffInit/required",keyword:"required",params:{missingProperty: "run_id"},message:"must have required property '"+"run_id"+"'"};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
if((data.source_platform === undefined) || (!(func0.call(data, "source_platform")))){
const err5 = {instancePath,schemaPath:"#/$defs/HandoffInit/required",keyword:"required",params:{missingProperty: "source_platform"},message:"must have required property '"+"source_platform"+"'"};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
if((data.migration_token === undefined) || (!(func0.call(data, "migration_token")))){
const err6 = {instancePath,schemaPath:"#/$defs/HandoffInit/required",keyword:"required",params:{missingProperty: "migration_token"},message:"must have required property '"+"migration_token"+"'"};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
if(data.type !== undefined && func0.call(data, "type")){
if("handoff_init" !== data.type){
const err7 = {instancePath:instancePath+"/type",schemaPath:"#/$defs/HandoffInit/properties/type/const",keyword:"const",params:{allowedValue: "handoff_init"},message:"must be equal to constant"};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
}
if(data.state_id !== undefined && func0.call(data, "state_id")){
if(typeof data.state_id !== "string"){
const err8 = {instancePath:instancePath+"/state_id",schemaPath:"#/$defs/HandoffInit/properties/state_id/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
}
if(data.agent_id !== undefined && func0.call(data, "agent_id")){
if(typeof data.agent_id !== "string"){
const err9 = {instancePath:instancePath+"/agent_id",schemaPath:"#/$defs/HandoffInit/properties/agent_id/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
}
if(data.run_id !== undefined && func0.call(data, "run_id")){
if(typeof data.run_id !== "string"){
const err10 = {instancePath:instancePath+"/run_id",schemaPath:"#/$defs/HandoffInit/properties/run_id/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
}
}
if(data.source_platform !== undefined && func0.call(data, "source_platform")){
if(typeof data.source_platform !== "string"){
const err11 = {instancePath:instancePath+"/source_platform",schemaPath:"#/$defs/HandoffInit/properties/source_platform/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err11];
}
else {
vErrors.push(err11);
}
errors++;
}
}
if(data.migration_token !== undefined && func0.call(data, "migration_token")){
if(typeof data.migration_token !== "string"){
const err12 = {instancePath:instancePath+"/migration_token",schemaPath:"#/$defs/HandoffInit/properties/migration_token/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err12];
}
else {
vErrors.push(err12);
}
errors++;
}
}
if(data.checkpoint_at !== undefined && func0.call(data, "checkpoint_at")){
if(typeof data.checkpoint_at !== "string"){
const err13 = {instancePath:instancePath+"/checkpoint_at",schemaPath:"#/$defs/HandoffInit/properties/checkpoint_at/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err13];
}
else {
vErrors.push(err13);
}
errors++;
}
}
}
else {
const err14 = {instancePath,schemaPath:"#/$defs/HandoffInit/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err14];
}
else {
vErrors.push(err14);
}
errors++;
}
var props0 = {};
props0.type = true;
props0.state_id = true;
props0.agent_id = true;
props0.run_id = true;
props0.source_platform = true;
props0.migration_token = true;
props0.checkpoint_at = true;
}
else if(tag0 === "context_chunk"){
if(!(validate21(data, {instancePath,parentData,parentDataProperty,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate21.errors : vErrors.concat(validate21.errors);
errors = vErrors.length;
}
if(props0 !== true){
props0 = props0 || {};
props0.type = true;
props0.index = true;
props0.messages = true;
}
}
else if(tag0 === "memory_item"){
if(data && typeof data == "object" && !Array.isArray(data)){
if((data.type === undefined) || (!(func0.call(data, "type")))){
const err15 = {instancePath,schemaPath:"#/$defs/StreamedMemory/required",keyword:"required",params:{missingProperty: "type"},message:"must have required property '"+"type"+"'"};
if(vErrors === null){
vErrors = [err15];
}
else {
vErrors.push(err15);
}
errors++;
}
if((data.scope === undefined) || (!(func0.call(data, "scope")))){
const err16 = {instancePath,schemaPath:"#/$defs/StreamedMemory/required",keyword:"required",params:{missingProperty: "scope"},message:"must have required property '"+"scope"+"'"};
if(vErrors === null){
vErrors = [err16];
}
else {
vErrors.push(err16);
}
errors++;
}
if((data.key === undefined) || (!(func0.call(data, "key")))){
const err17 = {instancePath,schemaPath:"#/$defs/StreamedMemory/required",keyword:"required",params:{missingProperty: "key"},message:"must have required property '"+"key"+"'"};
if(vErrors === null){
vErrors = [err17];
}
else {
vErrors.push(err17);
}
errors++;
}
if((data.content === undefined) || (!(func0.call(data, "content")))){
const err18 = {instancePath,schemaPath:"#/$defs/StreamedMemory/required",keyword:"required",params:{missingProperty: "content"},message:"must have required property '"+"content"+"'"};
if(vErrors === null){
vErrors = [err18];
}
else {
vErrors.push(err18);
}
errors++;
}
if(data.type !== undefined && func0.call(data, "type")){
if("memory_item" !== data.type){
const err19 = {instancePath:instancePath+"/type",schemaPath:"#/$defs/StreamedMemory/properties/type/const",keyword:"const",params:{allowedValue: "memory_item"},message:"must be equal to constant"};
if(vErrors === null){
vErrors = [err19];
}
else {
vErrors.push(err19);
}
errors++;
}
}
if(data.scope !== undefined && func0.call(data, "scope")){
let data8 = data.scope;
if(typeof data8 !== "string"){
const err20 = {instancePath:instancePath+"/scope",schemaPath:"#/$defs/StreamedMemory/properties/scope/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err20];
}
else {
vErrors.push(err20);
}
errors++;
}
if(!((((data8 === "user") || (data8 === "session")) || (data8 === "task")) || (data8 === "long_term"))){
const err21 = {instancePath:instancePath+"/scope",schemaPath:"#/$defs/StreamedMemory/properties/scope/enum",keyword:"enum",params:{allowedValues: schema37.properties.scope.enum},message:"must be equal to one of the allowed values"};
if(vErrors === null){
vErrors = [err21];
}
else {
vErrors.push(err21);
}
errors++;
}
}
if(data.key !== undefined && func0.call(data, "key")){
if(typeof data.key !== "string"){
const err22 = {instancePath:instancePath+"/key",schemaPath:"#/$defs/StreamedMemory/properties/key/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err22];
}
else {
vErrors.push(err22);
}
errors++;
}
}
if(data.content !== undefined && func0.call(data, "content")){
if(typeof data.content !== "string"){
const err23 = {instancePath:instancePath+"/content",schemaPath:"#/$defs/StreamedMemory/properties/content/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err23];
}
else {
vErrors.push(err23);
}
errors++;
}
}
if(data.backend !== undefined && func0.call(data, "backend")){
if(typeof data.backend !== "string"){
const err24 = {instancePath:instancePath+"/backend",schemaPath:"#/$defs/StreamedMemory/properties/backend/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err24];
}
else {
vErrors.push(err24);
}
errors++;
}
}
if(data.captured_at !== undefined && func0.call(data, "captured_at")){
if(typeof data.captured_at !== "string"){
const err25 = {instancePath:instancePath+"/captured_at",schemaPath:"#/$defs/StreamedMemory/properties/captured_at/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err25];
}
else {
vErrors.push(err25);
}
errors++;
}
}
if(data.ttl_remaining_seconds !== undefined && func0.call(data, "ttl_remaining_seconds")){
let data13 = data.ttl_remaining_seconds;
if(!(((typeof data13 == "number") && (!(data13 % 1) && !isNaN(data13))) && (isFinite(data13)))){
const err26 = {instancePath:instancePath+"/ttl_remaining_seconds",schemaPath:"#/$defs/StreamedMemory/properties/ttl_remaining_seconds/type",keyword:"type",params:{type: "integer"},message:"must be integer"};
if(vErrors === null){
vErrors = [err26];
}
else {
vErrors.push(err26);
}
errors++;
}
}
}
else {
const err27 = {instancePath,schemaPath:"#/$defs/StreamedMemory/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err27];
}
else {
vErrors.push(err27);
}
errors++;
}
if(props0 !== true){
props0 = props0 || {};
props0.type = true;
props0.scope = true;
props0.key = true;
props0.content = true;
props0.backend = true;
props0.captured_at = true;
props0.ttl_remaining_seconds = true;
}
}
else if(tag0 === "pipeline_state"){
if(!(validate22(data, {instancePath,parentData,parentDataProperty,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate22.errors : vErrors.concat(validate22.errors);
errors = vErrors.length;
}
if(props0 !== true){
props0 = props0 || {};
props0.type = true;
props0.pipeline_position = true;
props0.variables = true;
props0.iteration = true;
}
}
else if(tag0 === "pending_tool"){
if(data && typeof data == "object" && !Array.isArray(data)){
if((data.type === undefined) || (!(func0.call(data, "type")))){
const err28 = {instancePath,schemaPath:"#/$defs/PendingTool/required",keyword:"required",params:{missingProperty: "type"},message:"must have required property '"+"type"+"'"};
if(vErrors === null){
vErrors = [err28];
}
else {
vErrors.push(err28);
}
errors++;
}
if((data.id === undefined) || (!(func0.call(data, "id")))){
const err29 = {instancePath,schemaPath:"#/$defs/PendingTool/required",keyword:"required",params:{missingProperty: "id"},message:"must have required property '"+"id"+"'"};
if(vErrors === null){
vErrors = [err29];
}
else {
vErrors.push(err29);
}
errors++;
}
if((data.tool_name === undefined) || (!(func0.call(data, "tool_name")))){
const err30 = {instancePath,schemaPath:"#/$defs/PendingTool/required",keyword:"required",params:{missingProperty: "tool_name"},message:"must have required property '"+"tool_name"+"'"};
if(vErrors === null){
vErrors = [err30];
}
else {
vErrors.push(err30);
}
errors++;
}
if((data.arguments === undefined) || (!(func0.call(data, "arguments")))){
const err31 = {instancePath,schemaPath:"#/$defs/PendingTool/required",keyword:"required",params:{missingProperty: "arguments"},message:"must have required property '"+"arguments"+"'"};
if(vErrors === null){
vErrors = [err31];
}
else {
vErrors.push(err31);
}
errors++;
}
if((data.status === undefined) || (!(func0.call(data, "status")))){
const err32 = {instancePath,schemaPath:"#/$defs/PendingTool/required",keyword:"required",params:{missingProperty: "status"},message:"must have required property '"+"status"+"'"};
if(vErrors === null){
vErrors = [err32];
}
else {
vErrors.push(err32);
}
errors++;
}
if(data.type !== undefined && func0.call(data, "type")){
if("pending_tool" !== data.type){
const err33 = {instancePath:instancePath+"/type",schemaPath:"#/$defs/PendingTool/properties/type/const",keyword:"const",params:{allowedValue: "pending_tool"},message:"must be equal to constant"};
if(vErrors === null){
vErrors = [err33];
}
else {
vErrors.push(err33);
}
errors++;
}
}
if(data.id !== undefined && func0.call(data, "id")){
if(typeof data.id !== "string"){
const err34 = {instancePath:instancePath+"/id",schemaPath:"#/$defs/PendingTool/properties/id/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err34];
}
else {
vErrors.push(err34);
}
errors++;
}
}
if(data.tool_name !== undefined && func0.call(data, "tool_name")){
if(typeof data.tool_name !== "string"){
const err35 = {instancePath:instancePath+"/tool_name",schemaPath:"#/$defs/PendingTool/properties/tool_name/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err35];
}
else {
vErrors.push(err35);
}
errors++;
}
}
if(data.arguments !== undefined && func0.call(data, "arguments")){
let data17 = data.arguments;
if(!(data17 && typeof data17 == "object" && !Array.isArray(data17))){
const err36 = {instancePath:instancePath+"/arguments",schemaPath:"#/$defs/PendingTool/properties/arguments/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err36];
}
else {
vErrors.push(err36);
}
errors++;
}
}
if(data.status !== undefined && func0.call(data, "status")){
let data18 = data.status;
if(typeof data18 !== "string"){
const err37 = {instancePath:instancePath+"/status",schemaPath:"#/$defs/PendingTool/properties/status/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err37];
}
else {
vErrors.push(err37);
}
errors++;
}
if(!(((data18 === "pending") || (data18 === "in_flight")) || (data18 === "awaiting_result"))){
const err38 = {instancePath:instancePath+"/status",schemaPath:"#/$defs/PendingTool/properties/status/enum",keyword:"enum",params:{allowedValues: schema38.properties.status.enum},message:"must be equal to one of the allowed values"};
if(vErrors === null){
vErrors = [err38];
}
else {
vErrors.push(err38);
}
errors++;
}
}
if(data.submitted_at !== undefined && func0.call(data, "submitted_at")){
if(typeof data.submitted_at !== "string"){
const err39 = {instancePath:instancePath+"/submitted_at",schemaPath:"#/$defs/PendingTool/properties/submitted_at/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err39];
}
else {
vErrors.push(err39);
}
errors++;
}
}
if(data.callback_url !== undefined && func0.call(data, "callback_url")){
if(typeof data.callback_url !== "string"){
const err40 = {instancePath:instancePath+"/callback_url",schemaPath:"#/$defs/PendingTool/properties/callback_url/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err40];
}
else {
vErrors.push(err40);
}
errors++;
}
}
}
else {
const err41 = {instancePath,schemaPath:"#/$defs/PendingTool/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err41];
}
else {
vErrors.push(err41);
}
errors++;
}
if(props0 !== true){
props0 = props0 || {};
props0.type = true;
props0.id = true;
props0.tool_name = true;
props0.arguments = true;
props0.status = true;
props0.submitted_at = true;
props0.callback_url = true;
}
}
else if(tag0 === "subagent_ref"){
if(data && typeof data == "object" && !Array.isArray(data)){
if((data.type === undefined) || (!(func0.call(data, "type")))){
const err42 = {instancePath,schemaPath:"#/$defs/SubagentRef/required",keyword:"required",params:{missingProperty: "type"},message:"must have required property '"+"type"+"'"};
if(vErrors === null){
vErrors = [err42];
}
else {
vErrors.push(err42);
}
errors++;
}
if((data.alias === undefined) || (!(func0.call(data, "alias")))){
const err43 = {instancePath,schemaPath:"#/$defs/SubagentRef/required",keyword:"required",params:{missingProperty: "alias"},message:"must have required property '"+"alias"+"'"};
if(vErrors === null){
vErrors = [err43];
}
else {
vErrors.push(err43);
}
errors++;
}
if((data.agent_id === undefined) || (!(func0.call(data, "agent_id")))){
const err44 = {instancePath,schemaPath:"#/$defs/SubagentRef/required",keyword:"required",params:{missingProperty: "agent_id"},message:"must have required property '"+"agent_id"+"'"};
if(vErrors === null){
vErrors = [err44];
}
else {
vErrors.push(err44);
}
errors++;
}
if((data.state_id === undefined) || (!(func0.call(data, "state_id")))){
const err45 = {instancePath,schemaPath:"#/$defs/SubagentRef/required",keyword:"required",params:{missingProperty: "state_id"},message:"must have required property '"+"state_id"+"'"};
if(vErrors === null){
vErrors = [err45];
}
else {
vErrors.push(err45);
}
errors++;
}
if(data.type !== undefined && func0.call(data, "type")){
if("subagent_ref" !== data.type){
const err46 = {instancePath:instancePath+"/type",schemaPath:"#/$defs/SubagentRef/properties/type/const",keyword:"const",params:{allowedValue: "subagent_ref"},message:"must be equal to constant"};
if(vErrors === null){
vErrors = [err46];
}
else {
vErrors.push(err46);
}
errors++;
}
}
if(data.alias !== undefined && func0.call(data, "alias")){
if(typeof data.alias !== "string"){
const err47 = {instancePath:instancePath+"/alias",schemaPath:"#/$defs/SubagentRef/properties/alias/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err47];
}
else {
vErrors.push(err47);
}
errors++;
}
}
if(data.agent_id !== undefined && func0.call(data, "agent_id")){
if(typeof data.agent_id !== "string"){
const err48 = {instancePath:instancePath+"/agent_id",schemaPath:"#/$defs/SubagentRef/properties/agent_id/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err48];
}
else {
vErrors.push(err48);
}
errors++;
}
}
if(data.state_id !== undefined && func0.call(data, "state_id")){
if(typeof data.state_id !== "string"){
const err49 = {instancePath:instancePath+"/state_id",schemaPath:"#/$defs/SubagentRef/properties/state_id/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err49];
}
else {
vErrors.push(err49);
}
errors++;
}
}
}
else {
const err50 = {instancePath,schemaPath:"#/$defs/SubagentRef/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err50];
}
else {
vErrors.push(err50);
}
errors++;
}
if(props0 !== true){
props0 = props0 || {};
props0.type = true;
props0.alias = true;
props0.agent_id = true;
props0.state_id = true;
}
}
else if(tag0 === "handoff_complete"){
if(data && typeof data == "object" && !Array.isArray(data)){
if((data.type === undefined) || (!(func0.call(data, "type")))){
const err51 = {instancePath,schemaPath:"#/$defs/HandoffComplete/required",keyword:"required",params:{missingProperty: "type"},message:"must have required property '"+"type"+"'"};
if(vErrors === null){
vErrors = [err51];
}
else {
vErrors.push(err51);
}
errors++;
}
if((data.checksum === undefined) || (!(func0.call(data, "checksum")))){
const err52 = {instancePath,schemaPath:"#/$defs/HandoffComplete/required",keyword:"required",params:{missingProperty: "checksum"},message:"must have required property '"+"checksum"+"'"};
if(vErrors === null){
vErrors = [err52];
}
else {
vErrors.push(err52);
}
errors++;
}
if(data.type !== undefined && func0.call(data, "type")){
if("handoff_complete" !== data.type){
const err53 = {instancePath:instancePath+"/type",schemaPath:"#/$defs/HandoffComplete/properties/type/const",keyword:"const",params:{allowedValue: "handoff_complete"},message:"must be equal to constant"};
if(vErrors === null){
vErrors = [err53];
}
else {
vErrors.push(err53);
}
errors++;
}
}
if(data.checksum !== undefined && func0.call(data, "checksum")){
if(typeof data.checksum !== "string"){
const err54 = {instancePath:instancePath+"/checksum",schemaPath:"#/$defs/HandoffComplete/properties/checksum/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err54];
}
else {
vErrors.push(err54);
}
errors++;
}
}
}
else {
const err55 = {instancePath,schemaPath:"#/$defs/HandoffComplete/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err55];
}
else {
vErrors.push(err55);
}
errors++;
}
if(props0 !== true){
props0 = props0 || {};
props0.type = true;
props0.checksum = true;
}
}
else if(tag0 === "handoff_error"){
if(data && typeof data == "object" && !Array.isArray(data)){
if((data.type === undefined) || (!(func0.call(data, "type")))){
const err56 = {instancePath,schemaPath:"#/$defs/HandoffError/required",keyword:"required",params:{missingProperty: "type"},message:"must have required property '"+"type"+"'"};
if(vErrors === null){
vErrors = [err56];
}
else {
vErrors.push(err56);
}
errors++;
}
if((data.code === undefined) || (!(func0.call(data, "code")))){
const err57 = {instancePath,schemaPath:"#/$defs/HandoffError/required",keyword:"required",params:{missingProperty: "code"},message:"must have required property '"+"code"+"'"};
if(vErrors === null){
vErrors = [err57];
}
else {
vErrors.push(err57);
}
errors++;
}
if((data.message === undefined) || (!(func0.call(data, "message")))){
const err58 = {instancePath,schemaPath:"#/$defs/HandoffError/required",keyword:"required",params:{missingProperty: "message"},message:"must have required property '"+"message"+"'"};
if(vErrors === null){
vErrors = [err58];
}
else {
vErrors.push(err58);
}
errors++;
}
if(data.type !== undefined && func0.call(data, "type")){
if("handoff_error" !== data.type){
const err59 = {instancePath:instancePath+"/type",schemaPath:"#/$defs/HandoffError/properties/type/const",keyword:"const",params:{allowedValue: "handoff_error"},message:"must be equal to constant"};
if(vErrors === null){
vErrors = [err59];
}
else {
vErrors.push(err59);
}
errors++;
}
}
if(data.code !== undefined && func0.call(data, "code")){
if(typeof data.code !== "string"){
const err60 = {instancePath:instancePath+"/code",schemaPath:"#/$defs/HandoffError/properties/code/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err60];
}
else {
vErrors.push(err60);
}
errors++;
}
}
if(data.message !== undefined && func0.call(data, "message")){
if(typeof data.message !== "string"){
const err61 = {instancePath:instancePath+"/message",schemaPath:"#/$defs/HandoffError/properties/message/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err61];
}
else {
vErrors.push(err61);
}
errors++;
}
}
}
else {
const err62 = {instancePath,schemaPath:"#/$defs/HandoffError/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err62];
}
else {
vErrors.push(err62);
}
errors++;
}
if(props0 !== true){
props0 = props0 || {};
props0.type = true;
props0.code = true;
props0.message = true;
}
}
else {
const err63 = {instancePath,schemaPath:"#/discriminator",keyword:"discriminator",params:{error: "mapping", tag: "type", tagValue: tag0},message:"value of tag \"type\" must be in oneOf"};
if(vErrors === null){
vErrors = [err63];
}
else {
vErrors.push(err63);
}
errors++;
}
}
else {
const err64 = {instancePath,schemaPath:"#/discriminator",keyword:"discriminator",params:{error: "tag", tag: "type", tagValue: tag0},message:"tag \"type\" must be string"};
if(vErrors === null){
vErrors = [err64];
}
else {
vErrors.push(err64);
}
errors++;
}
}
else {
const err65 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err65];
}
else {
vErrors.push(err65);
}
errors++;
}
validate20.errors = vErrors;
evaluated0.props = props0;
return errors === 0;
}
validate20.evaluated = {"dynamicProps":true,"dynamicItems":false};
