// Generated from src/spec/aaif/state.schema.ts by `npm run generate`. Do not edit.
"use strict";
export const validate = validate20;
export default validate20;
const schema31 = {"$schema":"https://json-schema.org/draft/2020-12/schema","$id":"urn:waybill:schema:aaif:state:3.4.0","type":"object","required":["sc_standard","state_id","agent_id","checkpoint_at","status"],"properties":{"_comment":{"type":"string"},"sc_standard":{"const":"SC-006"},"sc_version":{"type":"string","pattern":"^\\d+\\.\\d+\\.\\d+$"},"state_id":{"type":"string"},"agent_id":{"type":"string"},"run_id":{"type":"string"},"agent_version":{"type":"string"},"checkpoint_at":{"type":"string"},"status":{"type":"string","enum":["running","paused","awaiting_approval","awaiting_tool_result","completed","failed","migrating"]},"iteration":{"type":"integer","minimum":0},"pipeline_position":{"$ref":"#/$defs/PipelinePosition"},"conversation":{"type":"array","items":{"$ref":"#/$defs/StateMessage"}},"memory_snapshot":{"type":"array","items":{"$ref":"#/$defs/MemoryItem"}},"pending_tool_calls":{"type":"array","items":{"$ref":"#/$defs/PendingToolCall"}},"subagent_states":{"type":"array","items":{"$ref":"#/$defs/SubagentState"}},"variables":{"type":"object"},"approval_request":{"$ref":"#/$defs/ApprovalRequest"},"error":{"$ref":"#/$defs/RunError"},"provenance":{"$ref":"#/$defs/StateProvenance"}},"additionalProperties":false,"patternProperties":{"^x-":{}},"$defs":{"PipelinePosition":{"type":"object","properties":{"current_step":{"type":"string"},"completed_steps":{"type":"array","items":{"type":"string"}},"remaining_steps":{"type":"array","items":{"type":"string"}},"current_subagent":{"type":"string"},"parallel_slot":{"type":"integer"}},"additionalProperties":false},"StateMessage":{"type":"object","required":["role","content"],"properties":{"role":{"type":"string","enum":["system","user","assistant","tool"]},"content":{"type":"string"},"tool_call_id":{"type":"string"},"tool_name":{"type":"string"},"token_count":{"type":"integer"},"timestamp":{"type":"string"}},"additionalProperties":false},"MemoryItem":{"type":"object","required":["scope","key","content"],"properties":{"scope":{"type":"string","enum":["user","session","task","long_term"]},"key":{"type":"string"},"content":{"type":"string"},"backend":{"type":"string"},"captured_at":{"type":"string"},"ttl_remaining_seconds":{"type":"integer"}},"additionalProperties":false},"PendingToolCall":{"type":"object","required":["id","tool_name","arguments"],"properties":{"id":{"type":"string"},"tool_name":{"type":"string"},"arguments":{"type":"object"},"status":{"type":"string","enum":["pending","in_flight","awaiting_result"]},"submitted_at":{"type":"string"},"callback_url":{"type":"string"}},"additionalProperties":false},"SubagentState":{"type":"object","required":["alias","agent_id"],"properties":{"alias":{"type":"string"},"agent_id":{"type":"string"},"state_id":{"type":"string"},"status":{"type":"string","enum":["pending","running","paused","completed","failed"]},"output":{}},"additionalProperties":false},"PendingAction":{"type":"object","properties":{"tool_name":{"type":"string"},"arguments":{"type":"object"}}},"ApprovalRequest":{"type":"object","properties":{"trigger_description":{"type":"string"},"pending_action":{"$ref":"#/$defs/PendingAction"},"requested_at":{"type":"string"},"timeout_at":{"type":"string"},"approver_hint":{"type":"string"}},"additionalProperties":false},"RunError":{"type":"object","properties":{"code":{"type":"string"},"message":{"type":"string"},"step":{"type":"string"},"occurred_at":{"type":"string"},"retries_remaining":{"type":"integer","minimum":0},"stack_trace":{"type":"string"}},"additionalProperties":false},"StateProvenance":{"type":"object","properties":{"source_platform":{"type":"string"},"source_runtime_version":{"type":"string"},"captured_by":{"type":"string"},"target_platform":{"type":"string"},"migration_token":{"type":"string"},"checksum":{"type":"string"}},"additionalProperties":false}}};
const schema32 = {"type":"object","properties":{"current_step":{"type":"string"},"completed_steps":{"type":"array","items":{"type":"string"}},"remaining_steps":{"type":"array","items":{"type":"string"}},"current_subagent":{"type":"string"},"parallel_slot":{"type":"integer"}},"additionalProperties":false};
const schema33 = {"type":"object","required":["role","content"],"properties":{"role":{"type":"string","enum":["system","user","assistant","tool"]},"content":{"type":"string"},"tool_call_id":{"type":"string"},"tool_name":{"type":"string"},"token_count":{"type":"integer"},"timestamp":{"type":"string"}},"additionalProperties":false};
const schema34 = {"type":"object","required":["scope","key","content"],"properties":{"scope":{"type":"string","enum":["user","session","task","long_term"]},"key":{"type":"string"},"content":{"type":"string"},"backend":{"type":"string"},"captured_at":{"type":"string"},"ttl_remaining_seconds":{"type":"integer"}},"additionalProperties":false};
const schema35 = {"type":"object","required":["id","tool_name","arguments"],"properties":{"id":{"type":"string"},"tool_name":{"type":"string"},"arguments":{"type":"object"},"status":{"type":"string","enum":["pending","in_flight","awaiting_result"]},"submitted_at":{"type":"string"},"callback_url":{"type":"string"}},"additionalProperties":false};
const schema36 = {"type":"object","required":["alias","agent_id"],"properties":{"alias":{"type":"string"},"agent_id":{"type":"string"},"state_id":{"type":"string"},"status":{"type":"string","enum":["pending","running","paused","completed","failed"]},"output":{}},"additionalProperties":false};
const schema39 = {"type":"object","properties":{"code":{"type":"string"},"message":{"type":"string"},"step":{"type":"string"},"occurred_at":{"type":"string"},"retries_remaining":{"type":"integer","minimum":0},"stack_trace":{"type":"string"}},"additionalProperties":false};
const schema40 = {"type":"object","properties":{"source_platform":{"type":"string"},"source_runtime_version":{"type":"string"},"captured_by":{"type":"string"},"target_platform":{"type":"string"},"migration_token":{"type":"string"},"checksum":{"type":"string"}},"additionalProperties":false};
const func0 = Object.prototype.hasOwnProperty;
const pattern4 = new RegExp("^x-", "u");
const pattern5 = new RegExp("^\\d+\\.\\d+\\.\\d+$", "u");
const schema37 = {"type":"object","properties":{"trigger_description":{"type":"string"},"pending_action":{"$ref":"#/$defs/PendingAction"},"requested_at":{"type":"string"},"timeout_at":{"type":"string"},"approver_hint":{"type":"string"}},"additionalProperties":false};
const schema38 = {"type":"object","properties":{"tool_name":{"type":"string"},"arguments":{"type":"object"}}};

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
for(const key0 of Object.keys(data)){
if(!(((((key0 === "trigger_description") || (key0 === "pending_action")) || (key0 === "requested_at")) || (key0 === "timeout_at")) || (key0 === "approver_hint"))){
const err0 = {instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
}
if(data.trigger_description !== undefined && func0.call(data, "trigger_description")){
if(typeof data.trigger_description !== "string"){
const err1 = {instancePath:instancePath+"/trigger_description",schemaPath:"#/properties/trigger_description/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
}
if(data.pending_action !== undefined && func0.call(data, "pending_action")){
let data1 = data.pending_action;
if(data1 && typeof data1 == "object" && !Array.isArray(data1)){
if(data1.tool_name !== undefined && func0.call(data1, "tool_name")){
if(typeof data1.tool_name !== "string"){
const err2 = {instancePath:instancePath+"/pending_action/tool_name",schemaPath:"#/$defs/PendingAction/properties/tool_name/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
}
if(data1.arguments !== undefined && func0.call(data1, "arguments")){
let data3 = data1.arguments;
if(!(data3 && typeof data3 == "object" && !Array.isArray(data3))){
const err3 = {instancePath:instancePath+"/pending_action/arguments",schemaPath:"#/$defs/PendingAction/properties/arguments/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
}
}
else {
const err4 = {instancePath:instancePath+"/pending_action",schemaPath:"#/$defs/PendingAction/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
}
if(data.requested_at !== undefined && func0.call(data, "requested_at")){
if(typeof data.requested_at !== "string"){
const err5 = {instancePath:instancePath+"/requested_at",schemaPath:"#/properties/requested_at/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
}
if(data.timeout_at !== undefined && func0.call(data, "timeout_at")){
if(typeof data.timeout_at !== "string"){
const err6 = {instancePath:instancePath+"/timeout_at",schemaPath:"#/properties/timeout_at/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
}
if(data.approver_hint !== undefined && func0.call(data, "approver_hint")){
if(typeof data.approver_hint !== "string"){
const err7 = {instancePath:instancePath+"/approver_hint",schemaPath:"#/properties/approver_hint/type",keyword:"type",params:{type: "string"},message:"must be string"};
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
const err8 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
validate21.errors = vErrors;
return errors === 0;
}
validate21.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};


function validate20(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
/*# sourceURL="urn:waybill:schema:aaif:state:3.4.0" */;
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
if((data.sc_standard === undefined) || (!(func0.call(data, "sc_standard")))){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "sc_standard"},message:"must have required property '"+"sc_standard"+"'"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if((data.state_id === undefined) || (!(func0.call(data, "state_id")))){
const err1 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "state_id"},message:"must have required property '"+"state_id"+"'"};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
if((data.agent_id === undefined) || (!(func0.call(data, "agent_id")))){
const err2 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "agent_id"},message:"must have required property '"+"agent_id"+"'"};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
if((data.checkpoint_at === undefined) || (!(func0.call(data, "checkpoint_at")))){
const err3 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "checkpoint_at"},message:"must have required property '"+"checkpoint_at"+"'"};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
if((data.status === undefined) || (!(func0.call(data, "status")))){
const err4 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "status"},message:"must have required property '"+"status"+"'"};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
for(const key0 of Object.keys(data)){
if(!((func0.call(schema31.properties, key0)) || (pattern4.test(key0)))){
const err5 = {instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
}
if(data._comment !== undefined && func0.call(data, "_comment")){
if(typeof data._comment !== "string"){
const err6 = {instancePath:instancePath+"/_comment",schemaPath:"#/properties/_comment/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
}
if(data.sc_standard !== undefined && func0.call(data, "sc_standard")){
if("SC-006" !== data.sc_standard){
const err7 = {instancePath:instancePath+"/sc_standard",schemaPath:"#/properties/sc_standard/const",keyword:"const",params:{allowedValue: "SC-006"},message:"must be equal to constant"};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
}
if(data.sc_version !== undefined && func0.call(data, "sc_version")){
let data2 = data.sc_version;
if(typeof data2 === "string"){
if(!pattern5.test(data2)){
const err8 = {instancePath:instancePath+"/sc_version",schemaPath:"#/properties/sc_version/pattern",keyword:"pattern",params:{pattern: "^\\d+\\.\\d+\\.\\d+$"},message:"must match pattern \""+"^\\d+\\.\\d+\\.\\d+$"+"\""};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
}
else {
const err9 = {instancePath:instancePath+"/sc_version",schemaPath:"#/properties/sc_version/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
}
if(data.state_id !== undefined && func0.call(data, "state_id")){
if(typeof data.state_id !== "string"){
const err10 = {instancePath:instancePath+"/state_id",schemaPath:"#/properties/state_id/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
}
}
if(data.agent_id !== undefined && func0.call(data, "agent_id")){
if(typeof data.agent_id !== "string"){
const err11 = {instancePath:instancePath+"/agent_id",schemaPath:"#/properties/agent_id/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err11];
}
else {
vErrors.push(err11);
}
errors++;
}
}
if(data.run_id !== undefined && func0.call(data, "run_id")){
if(typeof data.run_id !== "string"){
const err12 = {instancePath:instancePath+"/run_id",schemaPath:"#/properties/run_id/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err12];
}
else {
vErrors.push(err12);
}
errors++;
}
}
if(data.agent_version !== undefined && func0.call(data, "agent_version")){
if(typeof data.agent_version !== "string"){
const err13 = {instancePath:instancePath+"/agent_version",schemaPath:"#/properties/agent_version/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err13];
}
else {
vErrors.push(err13);
}
errors++;
}
}
if(data.checkpoint_at !== undefined && func0.call(data, "checkpoint_at")){
if(typeof data.checkpoint_at !== "string"){
const err14 = {instancePath:instancePath+"/checkpoint_at",schemaPath:"#/properties/checkpoint_at/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err14];
}
else {
vErrors.push(err14);
}
errors++;
}
}
if(data.status !== undefined && func0.call(data, "status")){
let data8 = data.status;
if(typeof data8 !== "string"){
const err15 = {instancePath:instancePath+"/status",schemaPath:"#/properties/status/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err15];
}
else {
vErrors.push(err15);
}
errors++;
}
if(!(((((((data8 === "running") || (data8 === "paused")) || (data8 === "awaiting_approval")) || (data8 === "awaiting_tool_result")) || (data8 === "completed")) || (data8 === "failed")) || (data8 === "migrating"))){
const err16 = {instancePath:instancePath+"/status",schemaPath:"#/properties/status/enum",keyword:"enum",params:{allowedValues: schema31.properties.status.enum},message:"must be equal to one of the allowed values"};
if(vErrors === null){
vErrors = [err16];
}
else {
vErrors.push(err16);
}
errors++;
}
}
if(data.iteration !== undefined && func0.call(data, "iteration")){
let data9 = data.iteration;
if(!(((typeof data9 == "number") && (!(data9 % 1) && !isNaN(data9))) && (isFinite(data9)))){
const err17 = {instancePath:instancePath+"/iteration",schemaPath:"#/properties/iteration/type",keyword:"type",params:{type: "integer"},message:"must be integer"};
if(vErrors === null){
vErrors = [err17];
}
else {
vErrors.push(err17);
}
errors++;
}
if((typeof data9 == "number") && (isFinite(data9))){
if(data9 < 0 || isNaN(data9)){
const err18 = {instancePath:instancePath+"/iteration",schemaPath:"#/properties/iteration/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"};
if(vErrors === null){
vErrors = [err18];
}
else {
vErrors.push(err18);
}
errors++;
}
}
}
if(data.pipeline_position !== undefined && func0.call(data, "pipeline_position")){
let data10 = data.pipeline_position;
if(data10 && typeof data10 == "object" && !Array.isArray(data10)){
for(const key1 of Object.keys(data10)){
if(!(((((key1 === "current_step") || (key1 === "completed_steps")) || (key1 === "remaining_steps")) || (key1 === "current_subagent")) || (key1 === "parallel_slot"))){
const err19 = {instancePath:instancePath+"/pipeline_position",schemaPath:"#/$defs/PipelinePosition/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key1},message:"must NOT have additional properties"};
if(vErrors === null){
vErrors = [err19];
}
else {
vErrors.push(err19);
}
errors++;
}
}
if(data10.current_step !== undefined && func0.call(data10, "current_step")){
if(typeof data10.current_step !== "string"){
const err20 = {instancePath:instancePath+"/pipeline_position/current_step",schemaPath:"#/$defs/PipelinePosition/properties/current_step/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err20];
}
else {
vErrors.push(err20);
}
errors++;
}
}
if(data10.completed_steps !== undefined && func0.call(data10, "completed_steps")){
let data12 = data10.completed_steps;
if(Array.isArray(data12)){
const len0 = data12.length;
for(let i0=0; i0<len0; i0++){
if(typeof data12[i0] !== "string"){
const err21 = {instancePath:instancePath+"/pipeline_position/completed_steps/" + i0,schemaPath:"#/$defs/PipelinePosition/properties/completed_steps/items/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err21];
}
else {
vErrors.push(err21);
}
errors++;
}
}
}
else {
const err22 = {instancePath:instancePath+"/pipeline_position/completed_steps",schemaPath:"#/$defs/PipelinePosition/properties/completed_steps/type",keyword:"type",params:{type: "array"},message:"must be array"};
if(vErrors === null){
vErrors = [err22];
}
else {
vErrors.push(err22);
}
errors++;
}
}
if(data10.remaining_steps !== undefined && func0.call(data10, "remaining_steps")){
let data14 = data10.remaining_steps;
if(Array.isArray(data14)){
const len1 = data14.length;
for(let i1=0; i1<len1; i1++){
if(typeof data14[i1] !== "string"){
const err23 = {instancePath:instancePath+"/pipeline_position/remaining_steps/" + i1,schemaPath:"#/$defs/PipelinePosition/properties/remaining_steps/items/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err23];
}
else {
vErrors.push(err23);
}
errors++;
}
}
}
else {
const err24 = {instancePath:instancePath+"/pipeline_position/remaining_steps",schemaPath:"#/$defs/PipelinePosition/properties/remaining_steps/type",keyword:"type",params:{type: "array"},message:"must be array"};
if(vErrors === null){
vErrors = [err24];
}
else {
vErrors.push(err24);
}
errors++;
}
}
if(data10.current_subagent !== undefined && func0.call(data10, "current_subagent")){
if(typeof data10.current_subagent !== "string"){
const err25 = {instancePath:instancePath+"/pipeline_position/current_subagent",schemaPath:"#/$defs/PipelinePosition/properties/current_subagent/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err25];
}
else {
vErrors.push(err25);
}
errors++;
}
}
if(data10.parallel_slot !== undefined && func0.call(data10, "parallel_slot")){
let data17 = data10.parallel_slot;
if(!(((typeof data17 == "number") && (!(data17 % 1) && !isNaN(data17))) && (isFinite(data17)))){
const err26 = {instancePath:instancePath+"/pipeline_position/parallel_slot",schemaPath:"#/$defs/PipelinePosition/properties/parallel_slot/type",keyword:"type",params:{type: "integer"},message:"must be integer"};
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
const err27 = {instancePath:instancePath+"/pipeline_position",schemaPath:"#/$defs/PipelinePosition/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err27];
}
else {
vErrors.push(err27);
}
errors++;
}
}
if(data.conversation !== undefined && func0.call(data, "conversation")){
let data18 = data.conversation;
if(Array.isArray(data18)){
const len2 = data18.length;
for(let i2=0; i2<len2; i2++){
let data19 = data18[i2];
if(data19 && typeof data19 == "object" && !Array.isArray(data19)){
if((data19.role === undefined) || (!(func0.call(data19, "role")))){
const err28 = {instancePath:instancePath+"/conversation/" + i2,schemaPath:"#/$defs/StateMessage/required",keyword:"required",params:{missingProperty: "role"},message:"must have required property '"+"role"+"'"};
if(vErrors === null){
vErrors = [err28];
}
else {
vErrors.push(err28);
}
errors++;
}
if((data19.content === undefined) || (!(func0.call(data19, "content")))){
const err29 = {instancePath:instancePath+"/conversation/" + i2,schemaPath:"#/$defs/StateMessage/required",keyword:"required",params:{missingProperty: "content"},message:"must have required property '"+"content"+"'"};
if(vErrors === null){
vErrors = [err29];
}
else {
vErrors.push(err29);
}
errors++;
}
for(const key2 of Object.keys(data19)){
if(!((((((key2 === "role") || (key2 === "content")) || (key2 === "tool_call_id")) || (key2 === "tool_name")) || (key2 === "token_count")) || (key2 === "timestamp"))){
const err30 = {instancePath:instancePath+"/conversation/" + i2,schemaPath:"#/$defs/StateMessage/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key2},message:"must NOT have additional properties"};
if(vErrors === null){
vErrors = [err30];
}
else {
vErrors.push(err30);
}
errors++;
}
}
if(data19.role !== undefined && func0.call(data19, "role")){
let data20 = data19.role;
if(typeof data20 !== "string"){
const err31 = {instancePath:instancePath+"/conversation/" + i2+"/role",schemaPath:"#/$defs/StateMessage/properties/role/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err31];
}
else {
vErrors.push(err31);
}
errors++;
}
if(!((((data20 === "system") || (data20 === "user")) || (data20 === "assistant")) || (data20 === "tool"))){
const err32 = {instancePath:instancePath+"/conversation/" + i2+"/role",schemaPath:"#/$defs/StateMessage/properties/role/enum",keyword:"enum",params:{allowedValues: schema33.properties.role.enum},message:"must be equal to one of the allowed values"};
if(vErrors === null){
vErrors = [err32];
}
else {
vErrors.push(err32);
}
errors++;
}
}
if(data19.content !== undefined && func0.call(data19, "content")){
if(typeof data19.content !== "string"){
const err33 = {instancePath:instancePath+"/conversation/" + i2+"/content",schemaPath:"#/$defs/StateMessage/properties/content/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err33];
}
else {
vErrors.push(err33);
}
errors++;
}
}
if(data19.tool_call_id !== undefined && func0.call(data19, "tool_call_id")){
if(typeof data19.tool_call_id !== "string"){
const err34 = {instancePath:instancePath+"/conversation/" + i2+"/tool_call_id",schemaPath:"#/$defs/StateMessage/properties/tool_call_id/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err34];
}
else {
vErrors.push(err34);
}
errors++;
}
}
if(data19.tool_name !== undefined && func0.call(data19, "tool_name")){
if(typeof data19.tool_name !== "string"){
const err35 = {instancePath:instancePath+"/conversation/" + i2+"/tool_name",schemaPath:"#/$defs/StateMessage/properties/tool_name/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err35];
}
else {
vErrors.push(err35);
}
errors++;
}
}
if(data19.token_count !== undefined && func0.call(data19, "token_count")){
let data24 = data19.token_count;
if(!(((typeof data24 == "number") && (!(data24 % 1) && !isNaN(data24))) && (isFinite(data24)))){
const err36 = {instancePath:instancePath+"/conversation/" + i2+"/token_count",schemaPath:"#/$defs/StateMessage/properties/token_count/type",keyword:"type",params:{type: "integer"},message:"must be integer"};
if(vErrors === null){
vErrors = [err36];
}
else {
vErrors.push(err36);
}
errors++;
}
}
if(data19.timestamp !== undefined && func0.call(data19, "timestamp")){
if(typeof data19.timestamp !== "string"){
const err37 = {instancePath:instancePath+"/conversation/" + i2+"/timestamp",schemaPath:"#/$defs/StateMessage/properties/timestamp/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err37];
}
else {
vErrors.push(err37);
}
errors++;
}
}
}
else {
const err38 = {instancePath:instancePath+"/conversation/" + i2,schemaPath:"#/$defs/StateMessage/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err38];
}
else {
vErrors.push(err38);
}
errors++;
}
}
}
else {
const err39 = {instancePath:instancePath+"/conversation",schemaPath:"#/properties/conversation/type",keyword:"type",params:{type: "array"},message:"must be array"};
if(vErrors === null){
vErrors = [err39];
}
else {
vErrors.push(err39);
}
errors++;
}
}
if(data.memory_snapshot !== undefined && func0.call(data, "memory_snapshot")){
let data26 = data.memory_snapshot;
if(Array.isArray(data26)){
const len3 = data26.length;
for(let i3=0; i3<len3; i3++){
let data27 = data26[i3];
if(data27 && typeof data27 == "object" && !Array.isArray(data27)){
if((data27.scope === undefined) || (!(func0.call(data27, "scope")))){
const err40 = {instancePath:instancePath+"/memory_snapshot/" + i3,schemaPath:"#/$defs/MemoryItem/required",keyword:"required",params:{missingProperty: "scope"},message:"must have required property '"+"scope"+"'"};
if(vErrors === null){
vErrors = [err40];
}
else {
vErrors.push(err40);
}
errors++;
}
if((data27.key === undefined) || (!(func0.call(data27, "key")))){
const err41 = {instancePath:instancePath+"/memory_snapshot/" + i3,schemaPath:"#/$defs/MemoryItem/required",keyword:"required",params:{missingProperty: "key"},message:"must have required property '"+"key"+"'"};
if(vErrors === null){
vErrors = [err41];
}
else {
vErrors.push(err41);
}
errors++;
}
if((data27.content === undefined) || (!(func0.call(data27, "content")))){
const err42 = {instancePath:instancePath+"/memory_snapshot/" + i3,schemaPath:"#/$defs/MemoryItem/required",keyword:"required",params:{missingProperty: "content"},message:"must have required property '"+"content"+"'"};
if(vErrors === null){
vErrors = [err42];
}
else {
vErrors.push(err42);
}
errors++;
}
for(const key3 of Object.keys(data27)){
if(!((((((key3 === "scope") || (key3 === "key")) || (key3 === "content")) || (key3 === "backend")) || (key3 === "captured_at")) || (key3 === "ttl_remaining_seconds"))){
const err43 = {instancePath:instancePath+"/memory_snapshot/" + i3,schemaPath:"#/$defs/MemoryItem/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key3},message:"must NOT have additional properties"};
if(vErrors === null){
vErrors = [err43];
}
else {
vErrors.push(err43);
}
errors++;
}
}
if(data27.scope !== undefined && func0.call(data27, "scope")){
let data28 = data27.scope;
if(typeof data28 !== "string"){
const err44 = {instancePath:instancePath+"/memory_snapshot/" + i3+"/scope",schemaPath:"#/$defs/MemoryItem/properties/scope/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err44];
}
else {
vErrors.push(err44);
}
errors++;
}
if(!((((data28 === "user") || (data28 === "session")) || (data28 === "task")) || (data28 === "long_term"))){
const err45 = {instancePath:instancePath+"/memory_snapshot/" + i3+"/scope",schemaPath:"#/$defs/MemoryItem/properties/scope/enum",keyword:"enum",params:{allowedValues: schema34.properties.scope.enum},message:"must be equal to one of the allowed values"};
if(vErrors === null){
vErrors = [err45];
}
else {
vErrors.push(err45);
}
errors++;
}
}
if(data27.key !== undefined && func0.call(data27, "key")){
if(typeof data27.key !== "string"){
const err46 = {instancePath:instancePath+"/memory_snapshot/" + i3+"/key",schemaPath:"#/$defs/MemoryItem/properties/key/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err46];
}
else {
vErrors.push(err46);
}
errors++;
}
}
if(data27.content !== undefined && func0.call(data27, "content")){
if(typeof data27.content !== "string"){
const err47 = {instancePath:instancePath+"/memory_snapshot/" + i3+"/content",schemaPath:"#/$defs/MemoryItem/properties/content/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err47];
}
else {
vErrors.push(err47);
}
errors++;
}
}
if(data27.backend !== undefined && func0.call(data27, "backend")){
if(typeof data27.backend !== "string"){
const err48 = {instancePath:instancePath+"/memory_snapshot/" + i3+"/backend",schemaPath:"#/$defs/MemoryItem/properties/backend/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err48];
}
else {
vErrors.push(err48);
}
errors++;
}
}
if(data27.captured_at !== undefined && func0.call(data27, "captured_at")){
if(typeof data27.captured_at !== "string"){
const err49 = {instancePath:instancePath+"/memory_snapshot/" + i3+"/captured_at",schemaPath:"#/$defs/MemoryItem/properties/captured_at/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err49];
}
else {
vErrors.push(err49);
}
errors++;
}
}
if(data27.ttl_remaining_seconds !== undefined && func0.call(data27, "ttl_remaining_seconds")){
let data33 = data27.ttl_remaining_seconds;
if(!(((typeof data33 == "number") && (!(data33 % 1) && !isNaN(data33))) && (isFinite(data33)))){
const err50 = {instancePath:instancePath+"/memory_snapshot/" + i3+"/ttl_remaining_seconds",schemaPath:"#/$defs/MemoryItem/properties/ttl_remaining_seconds/type",keyword:"type",params:{type: "integer"},message:"must be integer"};
if(vErrors === null){
vErrors = [err50];
}
else {
vErrors.push(err50);
}
errors++;
}
}
}
else {
const err51 = {instancePath:instancePath+"/memory_snapshot/" + i3,schemaPath:"#/$defs/MemoryItem/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err51];
}
else {
vErrors.push(err51);
}
errors++;
}
}
}
else {
const err52 = {instancePath:instancePath+"/memory_snapshot",schemaPath:"#/properties/memory_snapshot/type",keyword:"type",params:{type: "array"},message:"must be array"};
if(vErrors === null){
vErrors = [err52];
}
else {
vErrors.push(err52);
}
errors++;
}
}
if(data.pending_tool_calls !== undefined && func0.call(data, "pending_tool_calls")){
let data34 = data.pending_tool_calls;
if(Array.isArray(data34)){
const len4 = data34.length;
for(let i4=0; i4<len4; i4++){
let data35 = data34[i4];
if(data35 && typeof data35 == "object" && !Array.isArray(data35)){
if((data35.id === undefined) || (!(func0.call(data35, "id")))){
const err53 = {instancePath:instancePath+"/pending_tool_calls/" + i4,schemaPath:"#/$defs/PendingToolCall/required",keyword:"required",params:{missingProperty: "id"},message:"must have required property '"+"id"+"'"};
if(vErrors === null){
vErrors = [err53];
}
else {
vErrors.push(err53);
}
errors++;
}
if((data35.tool_name === undefined) || (!(func0.call(data35, "tool_name")))){
const err54 = {instancePath:instancePath+"/pending_tool_calls/" + i4,schemaPath:"#/$defs/PendingToolCall/required",keyword:"required",params:{missingProperty: "tool_name"},message:"must have required property '"+"tool_name"+"'"};
if(vErrors === null){
vErrors = [err54];
}
else {
vErrors.push(err54);
}
errors++;
}
if((data35.arguments === undefined) || (!(func0.call(data35, "arguments")))){
const err55 = {instancePath:instancePath+"/pending_tool_calls/" + i4,schemaPath:"#/$defs/PendingToolCall/required",keyword:"required",params:{missingProperty: "arguments"},message:"must have required property '"+"arguments"+"'"};
if(vErrors === null){
vErrors = [err55];
}
else {
vErrors.push(err55);
}
errors++;
}
for(const key4 of Object.keys(data35)){
if(!((((((key4 === "id") || (key4 === "tool_name")) || (key4 === "arguments")) || (key4 === "status")) || (key4 === "submitted_at")) || (key4 === "callback_url"))){
const err56 = {instancePath:instancePath+"/pending_tool_calls/" + i4,schemaPath:"#/$defs/PendingToolCall/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key4},message:"must NOT have additional properties"};
if(vErrors === null){
vErrors = [err56];
}
else {
vErrors.push(err56);
}
errors++;
}
}
if(data35.id !== undefined && func0.call(data35, "id")){
if(typeof data35.id !== "string"){
const err57 = {instancePath:instancePath+"/pending_tool_calls/" + i4+"/id",schemaPath:"#/$defs/PendingToolCall/properties/id/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err57];
}
else {
vErrors.push(err57);
}
errors++;
}
}
if(data35.tool_name !== undefined && func0.call(data35, "tool_name")){
if(typeof data35.tool_name !== "string"){
const err58 = {instancePath:instancePath+"/pending_tool_calls/" + i4+"/tool_name",schemaPath:"#/$defs/PendingToolCall/properties/tool_name/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err58];
}
else {
vErrors.push(err58);
}
errors++;
}
}
if(data35.arguments !== undefined && func0.call(data35, "arguments")){
let data38 = data35.arguments;
if(!(data38 && typeof data38 == "object" && !Array.isArray(data38))){
const err59 = {instancePath:instancePath+"/pending_tool_calls/" + i4+"/arguments",schemaPath:"#/$defs/PendingToolCall/properties/arguments/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err59];
}
else {
vErrors.push(err59);
}
errors++;
}
}
if(data35.status !== undefined && func0.call(data35, "status")){
let data39 = data35.status;
if(typeof data39 !== "string"){
const err60 = {instancePath:instancePath+"/pending_tool_calls/" + i4+"/status",schemaPath:"#/$defs/PendingToolCall/properties/status/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err60];
}
else {
vErrors.push(err60);
}
errors++;
}
if(!(((data39 === "pending") || (data39 === "in_flight")) || (data39 === "awaiting_result"))){
const err61 = {instancePath:instancePath+"/pending_tool_calls/" + i4+"/status",schemaPath:"#/$defs/PendingToolCall/properties/status/enum",keyword:"enum",params:{allowedValues: schema35.properties.status.enum},message:"must be equal to one of the allowed values"};
if(vErrors === null){
vErrors = [err61];
}
else {
vErrors.push(err61);
}
errors++;
}
}
if(data35.submitted_at !== undefined && func0.call(data35, "submitted_at")){
if(typeof data35.submitted_at !== "string"){
const err62 = {instancePath:instancePath+"/pending_tool_calls/" + i4+"/submitted_at",schemaPath:"#/$defs/PendingToolCall/properties/submitted_at/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err62];
}
else {
vErrors.push(err62);
}
errors++;
}
}
if(data35.callback_url !== undefined && func0.call(data35, "callback_url")){
if(typeof data35.callback_url !== "string"){
const err63 = {instancePath:instancePath+"/pending_tool_calls/" + i4+"/callback_url",schemaPath:"#/$defs/PendingToolCall/properties/callback_url/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err63];
}
else {
vErrors.push(err63);
}
errors++;
}
}
}
else {
const err64 = {instancePath:instancePath+"/pending_tool_calls/" + i4,schemaPath:"#/$defs/PendingToolCall/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err64];
}
else {
vErrors.push(err64);
}
errors++;
}
}
}
else {
const err65 = {instancePath:instancePath+"/pending_tool_calls",schemaPath:"#/properties/pending_tool_calls/type",keyword:"type",params:{type: "array"},message:"must be array"};
if(vErrors === null){
vErrors = [err65];
}
else {
vErrors.push(err65);
}
errors++;
}
}
if(data.subagent_states !== undefined && func0.call(data, "subagent_states")){
let data42 = data.subagent_states;
if(Array.isArray(data42)){
const len5 = data42.length;
for(let i5=0; i5<len5; i5++){
let data43 = data42[i5];
if(data43 && typeof data43 == "object" && !Array.isArray(data43)){
if((data43.alias === undefined) || (!(func0.call(data43, "alias")))){
const err66 = {instancePath:instancePath+"/subagent_states/" + i5,schemaPath:"#/$defs/SubagentState/required",keyword:"required",params:{missingProperty: "alias"},message:"must have required property '"+"alias"+"'"};
if(vErrors === null){
vErrors = [err66];
}
else {
vErrors.push(err66);
}
errors++;
}
if((data43.agent_id === undefined) || (!(func0.call(data43, "agent_id")))){
const err67 = {instancePath:instancePath+"/subagent_states/" + i5,schemaPath:"#/$defs/SubagentState/required",keyword:"required",params:{missingProperty: "agent_id"},message:"must have required property '"+"agent_id"+"'"};
if(vErrors === null){
vErrors = [err67];
}
else {
vErrors.push(err67);
}
errors++;
}
for(const key5 of Object.keys(data43)){
if(!(((((key5 === "alias") || (key5 === "agent_id")) || (key5 === "state_id")) || (key5 === "status")) || (key5 === "output"))){
const err68 = {instancePath:instancePath+"/subagent_states/" + i5,schemaPath:"#/$defs/SubagentState/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key5},message:"must NOT have additional properties"};
if(vErrors === null){
vErrors = [err68];
}
else {
vErrors.push(err68);
}
errors++;
}
}
if(data43.alias !== undefined && func0.call(data43, "alias")){
if(typeof data43.alias !== "string"){
const err69 = {instancePath:instancePath+"/subagent_states/" + i5+"/alias",schemaPath:"#/$defs/SubagentState/properties/alias/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err69];
}
else {
vErrors.push(err69);
}
errors++;
}
}
if(data43.agent_id !== undefined && func0.call(data43, "agent_id")){
if(typeof data43.agent_id !== "string"){
const err70 = {instancePath:instancePath+"/subagent_states/" + i5+"/agent_id",schemaPath:"#/$defs/SubagentState/properties/agent_id/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err70];
}
else {
vErrors.push(err70);
}
errors++;
}
}
if(data43.state_id !== undefined && func0.call(data43, "state_id")){
if(typeof data43.state_id !== "string"){
const err71 = {instancePath:instancePath+"/subagent_states/" + i5+"/state_id",schemaPath:"#/$defs/SubagentState/properties/state_id/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err71];
}
else {
vErrors.push(err71);
}
errors++;
}
}
if(data43.status !== undefined && func0.call(data43, "status")){
let data47 = data43.status;
if(typeof data47 !== "string"){
const err72 = {instancePath:instancePath+"/subagent_states/" + i5+"/status",schemaPath:"#/$defs/SubagentState/properties/status/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err72];
}
else {
vErrors.push(err72);
}
errors++;
}
if(!(((((data47 === "pending") || (data47 === "running")) || (data47 === "paused")) || (data47 === "completed")) || (data47 === "failed"))){
const err73 = {instancePath:instancePath+"/subagent_states/" + i5+"/status",schemaPath:"#/$defs/SubagentState/properties/status/enum",keyword:"enum",params:{allowedValues: schema36.properties.status.enum},message:"must be equal to one of the allowed values"};
if(vErrors === null){
vErrors = [err73];
}
else {
vErrors.push(err73);
}
errors++;
}
}
}
else {
const err74 = {instancePath:instancePath+"/subagent_states/" + i5,schemaPath:"#/$defs/SubagentState/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err74];
}
else {
vErrors.push(err74);
}
errors++;
}
}
}
else {
const err75 = {instancePath:instancePath+"/subagent_states",schemaPath:"#/properties/subagent_states/type",keyword:"type",params:{type: "array"},message:"must be array"};
if(vErrors === null){
vErrors = [err75];
}
else {
vErrors.push(err75);
}
errors++;
}
}
if(data.variables !== undefined && func0.call(data, "variables")){
let data48 = data.variables;
if(!(data48 && typeof data48 == "object" && !Array.isArray(data48))){
const err76 = {instancePath:instancePath+"/variables",schemaPath:"#/properties/variables/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err76];
}
else {
vErrors.push(err76);
}
errors++;
}
}
if(data.approval_request !== undefined && func0.call(data, "approval_request")){
if(!(validate21(data.approval_request, {instancePath:instancePath+"/approval_request",parentData:data,parentDataProperty:"approval_request",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate21.errors : vErrors.concat(validate21.errors);
errors = vErrors.length;
}
}
if(data.error !== undefined && func0.call(data, "error")){
let data50 = data.error;
if(data50 && typeof data50 == "object" && !Array.isArray(data50)){
for(const key6 of Object.keys(data50)){
if(!((((((key6 === "code") || (key6 === "message")) || (key6 === "step")) || (key6 === "occurred_at")) || (key6 === "retries_remaining")) || (key6 === "stack_trace"))){
const err77 = {instancePath:instancePath+"/error",schemaPath:"#/$defs/RunError/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key6},message:"must NOT have additional properties"};
if(vErrors === null){
vErrors = [err77];
}
else {
vErrors.push(err77);
}
errors++;
}
}
if(data50.code !== undefined && func0.call(data50, "code")){
if(typeof data50.code !== "string"){
const err78 = {instancePath:instancePath+"/error/code",schemaPath:"#/$defs/RunError/properties/code/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err78];
}
else {
vErrors.push(err78);
}
errors++;
}
}
if(data50.message !== undefined && func0.call(data50, "message")){
if(typeof data50.message !== "string"){
const err79 = {instancePath:instancePath+"/error/message",schemaPath:"#/$defs/RunError/properties/message/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err79];
}
else {
vErrors.push(err79);
}
errors++;
}
}
if(data50.step !== undefined && func0.call(data50, "step")){
if(typeof data50.step !== "string"){
const err80 = {instancePath:instancePath+"/error/step",schemaPath:"#/$defs/RunError/properties/step/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err80];
}
else {
vErrors.push(err80);
}
errors++;
}
}
if(data50.occurred_at !== undefined && func0.call(data50, "occurred_at")){
if(typeof data50.occurred_at !== "string"){
const err81 = {instancePath:instancePath+"/error/occurred_at",schemaPath:"#/$defs/RunError/properties/occurred_at/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err81];
}
else {
vErrors.push(err81);
}
errors++;
}
}
if(data50.retries_remaining !== undefined && func0.call(data50, "retries_remaining")){
let data55 = data50.retries_remaining;
if(!(((typeof data55 == "number") && (!(data55 % 1) && !isNaN(data55))) && (isFinite(data55)))){
const err82 = {instancePath:instancePath+"/error/retries_remaining",schemaPath:"#/$defs/RunError/properties/retries_remaining/type",keyword:"type",params:{type: "integer"},message:"must be integer"};
if(vErrors === null){
vErrors = [err82];
}
else {
vErrors.push(err82);
}
errors++;
}
if((typeof data55 == "number") && (isFinite(data55))){
if(data55 < 0 || isNaN(data55)){
const err83 = {instancePath:instancePath+"/error/retries_remaining",schemaPath:"#/$defs/RunError/properties/retries_remaining/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"};
if(vErrors === null){
vErrors = [err83];
}
else {
vErrors.push(err83);
}
errors++;
}
}
}
if(data50.stack_trace !== undefined && func0.call(data50, "stack_trace")){
if(typeof data50.stack_trace !== "string"){
const err84 = {instancePath:instancePath+"/error/stack_trace",schemaPath:"#/$defs/RunError/properties/stack_trace/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err84];
}
else {
vErrors.push(err84);
}
errors++;
}
}
}
else {
const err85 = {instancePath:instancePath+"/error",schemaPath:"#/$defs/RunError/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err85];
}
else {
vErrors.push(err85);
}
errors++;
}
}
if(data.provenance !== undefined && func0.call(data, "provenance")){
let data57 = data.provenance;
if(data57 && typeof data57 == "object" && !Array.isArray(data57)){
for(const key7 of Object.keys(data57)){
if(!((((((key7 === "source_platform") || (key7 === "source_runtime_version")) || (key7 === "captured_by")) || (key7 === "target_platform")) || (key7 === "migration_token")) || (key7 === "checksum"))){
const err86 = {instancePath:instancePath+"/provenance",schemaPath:"#/$defs/StateProvenance/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key7},message:"must NOT have additional properties"};
if(vErrors === null){
vErrors = [err86];
}
else {
vErrors.push(err86);
}
errors++;
}
}
if(data57.source_platform !== undefined && func0.call(data57, "source_platform")){
if(typeof data57.source_platform !== "string"){
const err87 = {instancePath:instancePath+"/provenance/source_platform",schemaPath:"#/$defs/StateProvenance/properties/source_platform/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err87];
}
else {
vErrors.push(err87);
}
errors++;
}
}
if(data57.source_runtime_version !== undefined && func0.call(data57, "source_runtime_version")){
if(typeof data57.source_runtime_version !== "string"){
const err88 = {instancePath:instancePath+"/provenance/source_runtime_version",schemaPath:"#/$defs/StateProvenance/properties/source_runtime_version/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err88];
}
else {
vErrors.push(err88);
}
errors++;
}
}
if(data57.captured_by !== undefined && func0.call(data57, "captured_by")){
if(typeof data57.captured_by !== "string"){
const err89 = {instancePath:instancePath+"/provenance/captured_by",schemaPath:"#/$defs/StateProvenance/properties/captured_by/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err89];
}
else {
vErrors.push(err89);
}
errors++;
}
}
if(data57.target_platform !== undefined && func0.call(data57, "target_platform")){
if(typeof data57.target_platform !== "string"){
const err90 = {instancePath:instancePath+"/provenance/target_platform",schemaPath:"#/$defs/StateProvenance/properties/target_platform/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err90];
}
else {
vErrors.push(err90);
}
errors++;
}
}
if(data57.migration_token !== undefined && func0.call(data57, "migration_token")){
if(typeof data57.migration_token !== "string"){
const err91 = {instancePath:instancePath+"/provenance/migration_token",schemaPath:"#/$defs/StateProvenance/properties/migration_token/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err91];
}
else {
vErrors.push(err91);
}
errors++;
}
}
if(data57.checksum !== undefined && func0.call(data57, "checksum")){
if(typeof data57.checksum !== "string"){
const err92 = {instancePath:instancePath+"/provenance/checksum",schemaPath:"#/$defs/StateProvenance/properties/checksum/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err92];
}
else {
vErrors.push(err92);
}
errors++;
}
}
}
else {
const err93 = {instancePath:instancePath+"/provenance",schemaPath:"#/$defs/StateProvenance/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err93];
}
else {
vErrors.push(err93);
}
errors++;
}
}
}
else {
const err94 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err94];
}
else {
vErrors.push(err94);
}
errors++;
}
validate20.errors = vErrors;
return errors === 0;
}
validate20.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};
