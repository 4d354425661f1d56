// Generated from src/spec/agentcard/agent-card.schema.ts by `npm run generate`. Do not edit.
"use strict";
export const validate = validate20;
export default validate20;
const schema31 = {"$schema":"https://json-schema.org/draft/2020-12/schema","$id":"urn:waybill:schema:agentcard:card:00","type":"object","required":["agent_id","name","version","capabilities","endpoint"],"properties":{"agent_id":{"type":"string","pattern":"^[0-9A-HJKMNP-TV-Z]{26}$"},"name":{"type":"string","minLength":1,"maxLength":128},"version":{"type":"string","pattern":"^(?:0|[1-9]\\d*)\\.(?:0|[1-9]\\d*)\\.(?:0|[1-9]\\d*)(?:-(?!\\.|0\\d+(?:[.+]|$)|[0-9A-Za-z.-]*\\.(?:[.+]|$|0\\d+(?:[.+]|$)))[0-9A-Za-z.-]+)?(?:\\+(?!\\.|[0-9A-Za-z.-]*\\.(?:\\.|$))[0-9A-Za-z.-]+)?$"},"capabilities":{"type":"array","items":{"$ref":"#/$defs/Capability"},"minItems":1},"endpoint":{"$ref":"#/$defs/Endpoint"},"pricing":{"$ref":"#/$defs/Pricing"},"metadata":{"$ref":"#/$defs/Metadata"},"goal_subscriptions":{"type":"array","items":{"$ref":"#/$defs/GoalSubscription"}}},"$defs":{"Capability":{"type":"object","required":["id"],"properties":{"id":{"type":"string","pattern":"^[a-z0-9][a-z0-9._-]*$"},"description":{"type":"string"},"input_schema":{"type":"object"},"output_schema":{"type":"object"},"tags":{"type":"array","items":{"type":"string"}}}},"Endpoint":{"type":"object","required":["protocol","url"],"properties":{"protocol":{"type":"string","enum":["http","https","grpc","stdio","mcp"]},"url":{"type":"string"},"auth":{"$ref":"#/$defs/EndpointAuth"}}},"EndpointAuth":{"type":"object","properties":{"scheme":{"type":"string","enum":["none","bearer","api_key","oauth2","mtls"]}}},"Pricing":{"type":"object","properties":{"base_cost_joules":{"type":"number","minimum":0,"not":{"type":"number","exclusiveMinimum":0,"exclusiveMaximum":2.854e-21}},"per_token_joules":{"type":"number","minimum":0}}},"Metadata":{"type":"object","properties":{"pacr:trust_tier":{"type":"string","enum":["untrusted","basic","established","verified","banned"]},"pacr:substrate_scope":{"type":"string"}}},"GoalSubscription":{"type":"object","required":["goal_id"],"properties":{"goal_id":{"type":"string"},"description":{"type":"string"},"priority":{"type":"number","minimum":0,"maximum":1}}}}};
const schema32 = {"type":"object","required":["id"],"properties":{"id":{"type":"string","pattern":"^[a-z0-9][a-z0-9._-]*$"},"description":{"type":"string"},"input_schema":{"type":"object"},"output_schema":{"type":"object"},"tags":{"type":"array","items":{"type":"string"}}}};
const schema35 = {"type":"object","properties":{"base_cost_joules":{"type":"number","minimum":0,"not":{"type":"number","exclusiveMinimum":0,"exclusiveMaximum":2.854e-21}},"per_token_joules":{"type":"number","minimum":0}}};
const schema36 = {"type":"object","properties":{"pacr:trust_tier":{"type":"string","enum":["untrusted","basic","established","verified","banned"]},"pacr:substrate_scope":{"type":"string"}}};
const schema37 = {"type":"object","required":["goal_id"],"properties":{"goal_id":{"type":"string"},"description":{"type":"string"},"priority":{"type":"number","minimum":0,"maximum":1}}};
const func0 = Object.prototype.hasOwnProperty;
const func67 = (text) => [...text].length;
const pattern4 = new RegExp("^[0-9A-HJKMNP-TV-Z]{26}$", "u");
const pattern5 = new RegExp("^(?:0|[1-9]\\d*)\\.(?:0|[1-9]\\d*)\\.(?:0|[1-9]\\d*)(?:-(?!\\.|0\\d+(?:[.+]|$)|[0-9A-Za-z.-]*\\.(?:[.+]|$|0\\d+(?:[.+]|$)))[0-9A-Za-z.-]+)?(?:\\+(?!\\.|[0-9A-Za-z.-]*\\.(?:\\.|$))[0-9A-Za-z.-]+)?$", "u");
const pattern6 = new RegExp("^[a-z0-9][a-z0-9._-]*$", "u");
const schema33 = {"type":"object","required":["protocol","url"],"properties":{"protocol":{"type":"string","enum":["http","https","grpc","stdio","mcp"]},"url":{"type":"string"},"auth":{"$ref":"#/$defs/EndpointAuth"}}};
const schema34 = {"type":"object","properties":{"scheme":{"type":"string","enum":["none","bearer","api_key","oauth2","mtls"]}}};

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
if((data.protocol === undefined) || (!(func0.call(data, "protocol")))){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "protocol"},message:"must have required property '"+"protocol"+"'"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if((data.url === undefined) || (!(func0.call(data, "url")))){
const err1 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "url"},message:"must have required property '"+"url"+"'"};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
if(data.protocol !== undefined && func0.call(data, "protocol")){
let data0 = data.protocol;
if(typeof data0 !== "string"){
const err2 = {instancePath:instancePath+"/protocol",schemaPath:"#/properties/protocol/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
if(!(((((data0 === "http") || (data0 === "https")) || (data0 === "grpc")) || (data0 === "stdio")) || (data0 === "mcp"))){
const err3 = {instancePath:instancePath+"/protocol",schemaPath:"#/properties/protocol/enum",keyword:"enum",params:{allowedValues: schema33.properties.protocol.enum},message:"must be equal to one of the allowed values"};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
}
if(data.url !== undefined && func0.call(data, "url")){
if(typeof data.url !== "string"){
const err4 = {instancePath:instancePath+"/url",schemaPath:"#/properties/url/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
}
if(data.auth !== undefined && func0.call(data, "auth")){
let data2 = data.auth;
if(data2 && typeof data2 == "object" && !Array.isArray(data2)){
if(data2.scheme !== undefined && func0.call(data2, "scheme")){
let data3 = data2.scheme;
if(typeof data3 !== "string"){
const err5 = {instancePath:instancePath+"/auth/scheme",schemaPath:"#/$defs/EndpointAuth/properties/scheme/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
if(!(((((data3 === "none") || (data3 === "bearer")) || (data3 === "api_key")) || (data3 === "oauth2")) || (data3 === "mtls"))){
const err6 = {instancePath:instancePath+"/auth/scheme",schemaPath:"#/$defs/EndpointAuth/properties/scheme/enum",keyword:"enum",params:{allowedValues: schema34.properties.scheme.enum},message:"must be equal to one of the allowed values"};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
}
}
else {
const err7 = {instancePath:instancePath+"/auth",schemaPath:"#/$defs/EndpointAuth/type",keyword:"type",params:{type: "object"},message:"must be object"};
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
validate21.evaluated = {"props":{"protocol":true,"url":true,"auth":true},"dynamicProps":false,"dynamicItems":false};


function validate20(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
/*# sourceURL="urn:waybill:schema:agentcard:card:00" */;
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
if((data.agent_id === undefined) || (!(func0.call(data, "agent_id")))){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "agent_id"},message:"must have required property '"+"agent_id"+"'"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if((data.name === undefined) || (!(func0.call(data, "name")))){
const err1 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "name"},message:"must have required property '"+"name"+"'"};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
if((data.version === undefined) || (!(func0.call(data, "version")))){
const err2 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "version"},message:"must have required property '"+"version"+"'"};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
if((data.capabilities === undefined) || (!(func0.call(data, "capabilities")))){
const err3 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "capabilities"},message:"must have required property '"+"capabilities"+"'"};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
if((data.endpoint === undefined) || (!(func0.call(data, "endpoint")))){
const err4 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "endpoint"},message:"must have required property '"+"endpoint"+"'"};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
if(data.agent_id !== undefined && func0.call(data, "agent_id")){
let data0 = data.agent_id;
if(typeof data0 === "string"){
if(!pattern4.test(data0)){
const err5 = {instancePath:instancePath+"/agent_id",schemaPath:"#/properties/agent_id/pattern",keyword:"pattern",params:{pattern: "^[0-9A-HJKMNP-TV-Z]{26}$"},message:"must match pattern \""+"^[0-9A-HJKMNP-TV-Z]{26}$"+"\""};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
}
else {
const err6 = {instancePath:instancePath+"/agent_id",schemaPath:"#/properties/agent_id/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
}
if(data.name !== undefined && func0.call(data, "name")){
let data1 = data.name;
if(typeof data1 === "string"){
if(func67(data1) > 128){
const err7 = {instancePath:instancePath+"/name",schemaPath:"#/properties/name/maxLength",keyword:"maxLength",params:{limit: 128},message:"must NOT have more than 128 characters"};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
if(func67(data1) < 1){
const err8 = {instancePath:instancePath+"/name",schemaPath:"#/properties/name/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"};
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
const err9 = {instancePath:instancePath+"/name",schemaPath:"#/properties/name/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
}
if(data.version !== undefined && func0.call(data, "version")){
let data2 = data.version;
if(typeof data2 === "string"){
if(!pattern5.test(data2)){
const err10 = {instancePath:instancePath+"/version",schemaPath:"#/properties/version/pattern",keyword:"pattern",params:{pattern: "^(?:0|[1-9]\\d*)\\.(?:0|[1-9]\\d*)\\.(?:0|[1-9]\\d*)(?:-(?!\\.|0\\d+(?:[.+]|$)|[0-9A-Za-z.-]*\\.(?:[.+]|$|0\\d+(?:[.+]|$)))[0-9A-Za-z.-]+)?(?:\\+(?!\\.|[0-9A-Za-z.-]*\\.(?:\\.|$))[0-9A-Za-z.-]+)?$"},message:"must match pattern \""+"^(?:0|[1-9]\\d*)\\.(?:0|[1-9]\\d*)\\.(?:0|[1-9]\\d*)(?:-(?!\\.|0\\d+(?:[.+]|$)|[0-9A-Za-z.-]*\\.(?:[.+]|$|0\\d+(?:[.+]|$)))[0-9A-Za-z.-]+)?(?:\\+(?!\\.|[0-9A-Za-z.-]*\\.(?:\\.|$))[0-9A-Za-z.-]+)?$"+"\""};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
}
}
else {
const err11 = {instancePath:instancePath+"/version",schemaPath:"#/properties/version/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err11];
}
else {
vErrors.push(err11);
}
errors++;
}
}
if(data.capabilities !== undefined && func0.call(data, "capabilities")){
let data3 = data.capabilities;
if(Array.isArray(data3)){
if(data3.length < 1){
const err12 = {instancePath:instancePath+"/capabilities",schemaPath:"#/properties/capabilities/minItems",keyword:"minItems",params:{limit: 1},message:"must NOT have fewer than 1 items"};
if(vErrors === null){
vErrors = [err12];
}
else {
vErrors.push(err12);
}
errors++;
}
const len0 = data3.length;
for(let i0=0; i0<len0; i0++){
let data4 = data3[i0];
if(data4 && typeof data4 == "object" && !Array.isArray(data4)){
if((data4.id === undefined) || (!(func0.call(data4, "id")))){
const err13 = {instancePath:instancePath+"/capabilities/" + i0,schemaPath:"#/$defs/Capability/required",keyword:"required",params:{missingProperty: "id"},message:"must have required property '"+"id"+"'"};
if(vErrors === null){
vErrors = [err13];
}
else {
vErrors.push(err13);
}
errors++;
}
if(data4.id !== undefined && func0.call(data4, "id")){
let data5 = data4.id;
if(typeof data5 === "string"){
if(!pattern6.test(data5)){
const err14 = {instancePath:instancePath+"/capabilities/" + i0+"/id",schemaPath:"#/$defs/Capability/properties/id/pattern",keyword:"pattern",params:{pattern: "^[a-z0-9][a-z0-9._-]*$"},message:"must match pattern \""+"^[a-z0-9][a-z0-9._-]*$"+"\""};
if(vErrors === null){
vErrors = [err14];
}
else {
vErrors.push(err14);
}
errors++;
}
}
else {
const err15 = {instancePath:instancePath+"/capabilities/" + i0+"/id",schemaPath:"#/$defs/Capability/properties/id/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err15];
}
else {
vErrors.push(err15);
}
errors++;
}
}
if(data4.description !== undefined && func0.call(data4, "description")){
if(typeof data4.description !== "string"){
const err16 = {instancePath:instancePath+"/capabilities/" + i0+"/description",schemaPath:"#/$defs/Capability/properties/description/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err16];
}
else {
vErrors.push(err16);
}
errors++;
}
}
if(data4.input_schema !== undefined && func0.call(data4, "input_schema")){
let data7 = data4.input_schema;
if(!(data7 && typeof data7 == "object" && !Array.isArray(data7))){
const err17 = {instancePath:instancePath+"/capabilities/" + i0+"/input_schema",schemaPath:"#/$defs/Capability/properties/input_schema/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err17];
}
else {
vErrors.push(err17);
}
errors++;
}
}
if(data4.output_schema !== undefined && func0.call(data4, "output_schema")){
let data8 = data4.output_schema;
if(!(data8 && typeof data8 == "object" && !Array.isArray(data8))){
const err18 = {instancePath:instancePath+"/capabilities/" + i0+"/output_schema",schemaPath:"#/$defs/Capability/properties/output_schema/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err18];
}
else {
vErrors.push(err18);
}
errors++;
}
}
if(data4.tags !== undefined && func0.call(data4, "tags")){
let data9 = data4.tags;
if(Array.isArray(data9)){
const len1 = data9.length;
for(let i1=0; i1<len1; i1++){
if(typeof data9[i1] !== "string"){
const err19 = {instancePath:instancePath+"/capabilities/" + i0+"/tags/" + i1,schemaPath:"#/$defs/Capability/properties/tags/items/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err19];
}
else {
vErrors.push(err19);
}
errors++;
}
}
}
else {
const err20 = {instancePath:instancePath+"/capabilities/" + i0+"/tags",schemaPath:"#/$defs/Capability/properties/tags/type",keyword:"type",params:{type: "array"},message:"must be array"};
if(vErrors === null){
vErrors = [err20];
}
else {
vErrors.push(err20);
}
errors++;
}
}
}
else {
const err21 = {instancePath:instancePath+"/capabilities/" + i0,schemaPath:"#/$defs/Capability/type",keyword:"type",params:{type: "object"},message:"must be object"};
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
const err22 = {instancePath:instancePath+"/capabilities",schemaPath:"#/properties/capabilities/type",keyword:"type",params:{type: "array"},message:"must be array"};
if(vErrors === null){
vErrors = [err22];
}
else {
vErrors.push(err22);
}
errors++;
}
}
if(data.endpoint !== undefined && func0.call(data, "endpoint")){
if(!(validate21(data.endpoint, {instancePath:instancePath+"/endpoint",parentData:data,parentDataProperty:"endpoint",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate21.errors : vErrors.concat(validate21.errors);
errors = vErrors.length;
}
}
if(data.pricing !== undefined && func0.call(data, "pricing")){
let data12 = data.pricing;
if(data12 && typeof data12 == "object" && !Array.isArray(data12)){
if(data12.base_cost_joules !== undefined && func0.call(data12, "base_cost_joules")){
let data13 = data12.base_cost_joules;
const _errs30 = errors;
const _errs31 = errors;
if(errors === _errs31){
if((typeof data13 == "number") && (isFinite(data13))){
if(data13 >= 2.854e-21 || isNaN(data13)){
const err23 = {};
if(vErrors === null){
vErrors = [err23];
}
else {
vErrors.push(err23);
}
errors++;
}
else {
if(data13 <= 0 || isNaN(data13)){
const err24 = {};
if(vErrors === null){
vErrors = [err24];
}
else {
vErrors.push(err24);
}
errors++;
}
}
}
else {
const err25 = {};
if(vErrors === null){
vErrors = [err25];
}
else {
vErrors.push(err25);
}
errors++;
}
}
var valid9 = _errs31 === errors;
if(valid9){
const err26 = {instancePath:instancePath+"/pricing/base_cost_joules",schemaPath:"#/$defs/Pricing/properties/base_cost_joules/not",keyword:"not",params:{},message:"must NOT be valid"};
if(vErrors === null){
vErrors = [err26];
}
else {
vErrors.push(err26);
}
errors++;
}
else {
errors = _errs30;
if(vErrors !== null){
if(_errs30){
vErrors.length = _errs30;
}
else {
vErrors = null;
}
}
}
if((typeof data13 == "number") && (isFinite(data13))){
if(data13 < 0 || isNaN(data13)){
const err27 = {instancePath:instancePath+"/pricing/base_cost_joules",schemaPath:"#/$defs/Pricing/properties/base_cost_joules/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"};
if(vErrors === null){
vErrors = [err27];
}
else {
vErrors.push(err27);
}
errors++;
}
}
else {
const err28 = {instancePath:instancePath+"/pricing/base_cost_joules",schemaPath:"#/$defs/Pricing/properties/base_cost_joules/type",keyword:"type",params:{type: "number"},message:"must be number"};
if(vErrors === null){
vErrors = [err28];
}
else {
vErrors.push(err28);
}
errors++;
}
}
if(data12.per_token_joules !== undefined && func0.call(data12, "per_token_joules")){
let data14 = data12.per_token_joules;
if((typeof data14 == "number") && (isFinite(data14))){
if(data14 < 0 || isNaN(data14)){
const err29 = {instancePath:instancePath+"/pricing/per_token_joules",schemaPath:"#/$defs/Pricing/properties/per_token_joules/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"};
if(vErrors === null){
vErrors = [err29];
}
else {
vErrors.push(err29);
}
errors++;
}
}
else {
const err30 = {instancePath:instancePath+"/pricing/per_token_joules",schemaPath:"#/$defs/Pricing/properties/per_token_joules/type",keyword:"type",params:{type: "number"},message:"must be number"};
if(vErrors === null){
vErrors = [err30];
}
else {
vErrors.push(err30);
}
errors++;
}
}
}
else {
const err31 = {instancePath:instancePath+"/pricing",schemaPath:"#/$defs/Pricing/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err31];
}
else {
vErrors.push(err31);
}
errors++;
}
}
if(data.metadata !== undefined && func0.call(data, "metadata")){
let data15 = data.metadata;
if(data15 && typeof data15 == "object" && !Array.isArray(data15)){
if(data15["pacr:trust_tier"] !== undefined && func0.call(data15, "pacr:trust_tier")){
let data16 = data15["pacr:trust_tier"];
if(typeof data16 !== "string"){
const err32 = {instancePath:instancePath+"/metadata/pacr:trust_tier",schemaPath:"#/$defs/Metadata/properties/pacr%3Atrust_tier/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err32];
}
else {
vErrors.push(err32);
}
errors++;
}
if(!(((((data16 === "untrusted") || (data16 === "basic")) || (data16 === "established")) || (data16 === "verified")) || (data16 === "banned"))){
const err33 = {instancePath:instancePath+"/metadata/pacr:trust_tier",schemaPath:"#/$defs/Metadata/properties/pacr%3Atrust_tier/enum",keyword:"enum",params:{allowedValues: schema36.properties["pacr:trust_tier"].enum},message:"must be equal to one of the allowed values"};
if(vErrors === null){
vErrors = [err33];
}
else {
vErrors.push(err33);
}
errors++;
}
}
if(data15["pacr:substrate_scope"] !== undefined && func0.call(data15, "pacr:substrate_scope")){
if(typeof data15["pacr:substrate_scope"] !== "string"){
const err34 = {instancePath:instancePath+"/metadata/pacr:substrate_scope",schemaPath:"#/$defs/Metadata/properties/pacr%3Asubstrate_scope/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err34];
}
else {
vErrors.push(err34);
}
errors++;
}
}
}
else {
const err35 = {instancePath:instancePath+"/metadata",schemaPath:"#/$defs/Metadata/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err35];
}
else {
vErrors.push(err35);
}
errors++;
}
}
if(data.goal_subscriptions !== undefined && func0.call(data, "goal_subscriptions")){
let data18 = data.goal_subscriptions;
if(Array.isArray(data18)){
const len2 = data18.length;
for(let i2=0; i2<len2; i2++){
let data19 = data18[i2];
if(data19 && typeof data19 == "object" && !Array.isArray(data19)){
if((data19.goal_id === undefined) || (!(func0.call(data19, "goal_id")))){
const err36 = {instancePath:instancePath+"/goal_subscriptions/" + i2,schemaPath:"#/$defs/GoalSubscription/required",keyword:"required",params:{missingProperty: "goal_id"},message:"must have required property '"+"goal_id"+"'"};
if(vErrors === null){
vErrors = [err36];
}
else {
vErrors.push(err36);
}
errors++;
}
if(data19.goal_id !== undefined && func0.call(data19, "goal_id")){
if(typeof data19.goal_id !== "string"){
const err37 = {instancePath:instancePath+"/goal_subscriptions/" + i2+"/goal_id",schemaPath:"#/$defs/GoalSubscription/properties/goal_id/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err37];
}
else {
vErrors.push(err37);
}
errors++;
}
}
if(data19.description !== undefined && func0.call(data19, "description")){
if(typeof data19.description !== "string"){
const err38 = {instancePath:instancePath+"/goal_subscriptions/" + i2+"/description",schemaPath:"#/$defs/GoalSubscription/properties/description/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err38];
}
else {
vErrors.push(err38);
}
errors++;
}
}
if(data19.priority !== undefined && func0.call(data19, "priority")){
let data22 = data19.priority;
if((typeof data22 == "number") && (isFinite(data22))){
if(data22 > 1 || isNaN(data22)){
const err39 = {instancePath:instancePath+"/goal_subscriptions/" + i2+"/priority",schemaPath:"#/$defs/GoalSubscription/properties/priority/maximum",keyword:"maximum",params:{comparison: "<=", limit: 1},message:"must be <= 1"};
if(vErrors === null){
vErrors = [err39];
}
else {
vErrors.push(err39);
}
errors++;
}
if(data22 < 0 || isNaN(data22)){
const err40 = {instancePath:instancePath+"/goal_subscriptions/" + i2+"/priority",schemaPath:"#/$defs/GoalSubscription/properties/priority/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"};
if(vErrors === null){
vErrors = [err40];
}
else {
vErrors.push(err40);
}
errors++;
}
}
else {
const err41 = {instancePath:instancePath+"/goal_subscriptions/" + i2+"/priority",schemaPath:"#/$defs/GoalSubscription/properties/priority/type",keyword:"type",params:{type: "number"},message:"must be number"};
if(vErrors === null){
vErrors = [err41];
}
else {
vErrors.push(err41);
}
errors++;
}
}
}
else {
const err42 = {instancePath:instancePath+"/goal_subscriptions/" + i2,schemaPath:"#/$defs/GoalSubscription/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err42];
}
else {
vErrors.push(err42);
}
errors++;
}
}
}
else {
const err43 = {instancePath:instancePath+"/goal_subscriptions",schemaPath:"#/properties/goal_subscriptions/type",keyword:"type",params:{type: "array"},message:"must be array"};
if(vErrors === null){
vErrors = [err43];
}
else {
vErrors.push(err43);
}
errors++;
}
}
}
else {
const err44 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err44];
}
else {
vErrors.push(err44);
}
errors++;
}
validate20.errors = vErrors;
return errors === 0;
}
validate20.evaluated = {"props":{"agent_id":true,"name":true,"version":true,"capabilities":true,"endpoint":true,"pricing":true,"metadata":true,"goal_subscriptions":true},"dynamicProps":false,"dynamicItems":false};
