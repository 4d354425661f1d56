// Generated from src/spec/iap/task.schema.ts by `npm run generate`. Do not edit.
"use strict";
export const validate = validate20;
export default validate20;
const schema31 = {"$schema":"https://json-schema.org/draft/2020-12/schema","type":"object","required":["task"],"properties":{"iap_version":{"type":"string"},"task_id":{"type":"string","minLength":1},"sender":{"$ref":"#/$defs/Sender"},"delivery":{"$ref":"#/$defs/Delivery"},"task":{"$ref":"#/$defs/Assignment"},"constraints":{"$ref":"#/$defs/TaskConstraints"},"success_criteria":{"type":"array","items":{"type":"string"}},"output":{"$ref":"#/$defs/TaskOutput"},"on_failure":{"$ref":"#/$defs/OnFailure"},"parent_task_id":{"type":"string"}},"$defs":{"Sender":{"type":"object","properties":{"agent_id":{"type":"string","minLength":1},"email":{"type":"string"},"framework":{"type":"string"},"callback":{"type":"string"}}},"Delivery":{"type":"object","properties":{"method":{"type":"string","enum":["sync","async","email"]},"webhook":{"type":"string","minLength":1},"email":{"type":"string","minLength":1},"status_endpoint":{"type":"string","minLength":1}},"allOf":[{"if":{"required":["method"],"properties":{"method":{"const":"async"}},"not":{"required":["status_endpoint"]}},"then":{"required":["webhook"]}},{"if":{"required":["method"],"properties":{"method":{"const":"email"}}},"then":{"required":["email"]}}]},"Assignment":{"type":"object","required":["intent"],"properties":{"intent":{"type":"string","minLength":1},"details":{"type":"string"},"context":{"type":"string"},"context_ref":{"type":"string","minLength":1}}},"TaskConstraints":{"type":"object","properties":{"time_limit":{"type":"string"},"token_budget":{"type":"integer","minimum":1},"tools_allowed":{"type":"array","items":{"type":"string"}},"tools_denied":{"type":"array","items":{"type":"string"}},"scope":{"type":"string"},"requires_capabilities":{"type":"array","items":{"type":"string"}}}},"TaskOutput":{"type":"object","properties":{"format":{"type":"string","enum":["markdown","json","yaml","code","freeform"]},"schema":{"type":["string","object"]},"deliver_to":{"type":"string","minLength":1}}},"OnFailure":{"type":"object","properties":{"action":{"type":"string","enum":["return_partial","retry","escalate","abort"]},"max_retries":{"type":"integer","minimum":0},"escalate_to":{"type":"string","minLength":1}}}}};
const schema32 = {"type":"object","properties":{"agent_id":{"type":"string","minLength":1},"email":{"type":"string"},"framework":{"type":"string"},"callback":{"type":"string"}}};
const schema33 = {"type":"object","properties":{"method":{"type":"string","enum":["sync","async","email"]},"webhook":{"type":"string","minLength":1},"email":{"type":"string","minLength":1},"status_endpoint":{"type":"string","minLength":1}},"allOf":[{"if":{"required":["method"],"properties":{"method":{"const":"async"}},"not":{"required":["status_endpoint"]}},"then":{"required":["webhook"]}},{"if":{"required":["method"],"properties":{"method":{"const":"email"}}},"then":{"required":["email"]}}]};
const schema34 = {"type":"object","required":["intent"],"properties":{"intent":{"type":"string","minLength":1},"details":{"type":"string"},"context":{"type":"string"},"context_ref":{"type":"string","minLength":1}}};
const schema35 = {"type":"object","properties":{"time_limit":{"type":"string"},"token_budget":{"type":"integer","minimum":1},"tools_allowed":{"type":"array","items":{"type":"string"}},"tools_denied":{"type":"array","items":{"type":"string"}},"scope":{"type":"string"},"requires_capabilities":{"type":"array","items":{"type":"string"}}}};
const schema36 = {"type":"object","properties":{"format":{"type":"string","enum":["markdown","json","yaml","code","freeform"]},"schema":{"type":["string","object"]},"deliver_to":{"type":"string","minLength":1}}};
const schema37 = {"type":"object","properties":{"action":{"type":"string","enum":["return_partial","retry","escalate","abort"]},"max_retries":{"type":"integer","minimum":0},"escalate_to":{"type":"string","minLength":1}}};
const func0 = Object.prototype.hasOwnProperty;
const func63 = (text) => [...text].length;

function validate20(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
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
if((data.task === undefined) || (!(func0.call(data, "task")))){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "task"},message:"must have required property '"+"task"+"'"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.iap_version !== undefined && func0.call(data, "iap_version")){
if(typeof data.iap_version !== "string"){
const err1 = {instancePath:instancePath+"/iap_version",schemaPath:"#/properties/iap_version/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
}
if(data.task_id !== undefined && func0.call(data, "task_id")){
let data1 = data.task_id;
if(typeof data1 === "string"){
if(func63(data1) < 1){
const err2 = {instancePath:instancePath+"/task_id",schemaPath:"#/properties/task_id/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
}
else {
const err3 = {instancePath:instancePath+"/task_id",schemaPath:"#/properties/task_id/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
}
if(data.sender !== undefined && func0.call(data, "sender")){
let data2 = data.sender;
if(data2 && typeof data2 == "object" && !Array.isArray(data2)){
if(data2.agent_id !== undefined && func0.call(data2, "agent_id")){
let data3 = data2.agent_id;
if(typeof data3 === "string"){
if(func63(data3) < 1){
const err4 = {instancePath:instancePath+"/sender/agent_id",schemaPath:"#/$defs/Sender/properties/agent_id/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
}
else {
const err5 = {instancePath:instancePath+"/sender/agent_id",schemaPath:"#/$defs/Sender/properties/agent_id/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
}
if(data2.email !== undefined && func0.call(data2, "email")){
if(typeof data2.email !== "string"){
const err6 = {instancePath:instancePath+"/sender/email",schemaPath:"#/$defs/Sender/properties/email/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
}
if(data2.framework !== undefined && func0.call(data2, "framework")){
if(typeof data2.framework !== "string"){
const err7 = {instancePath:instancePath+"/sender/framework",schemaPath:"#/$defs/Sender/properties/framework/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
}
if(data2.callback !== undefined && func0.call(data2, "callback")){
if(typeof data2.callback !== "string"){
const err8 = {instancePath:instancePath+"/sender/callback",schemaPath:"#/$defs/Sender/properties/callback/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
}
}
else {
const err9 = {instancePath:instancePath+"/sender",schemaPath:"#/$defs/Sender/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
}
if(data.delivery !== undefined && func0.call(data, "delivery")){
let data7 = data.delivery;
const _errs20 = errors;
let valid5 = true;
const _errs21 = errors;
const _errs22 = errors;
const _errs23 = errors;
if(data7 && typeof data7 == "object" && !Array.isArray(data7)){
let missing0;
if(((data7.status_endpoint === undefined) || (!(func0.call(data7, "status_endpoint")))) && (missing0 = "status_endpoint")){
const err10 = {};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
}
}
var valid6 = _errs23 === errors;
if(valid6){
const err11 = {};
if(vErrors === null){
vErrors = [err11];
}
else {
vErrors.push(err11);
}
errors++;
}
else {
errors = _errs22;
if(vErrors !== null){
if(_errs22){
vErrors.length = _errs22;
}
else {
vErrors = null;
}
}
}
if(errors === _errs21){
if(data7 && typeof data7 == "object" && !Array.isArray(data7)){
let missing1;
if(((data7.method === undefined) || (!(func0.call(data7, "method")))) && (missing1 = "method")){
const err12 = {};
if(vErrors === null){
vErrors = [err12];
}
else {
vErrors.push(err12);
}
errors++;
}
else {
if(data7.method !== undefined && func0.call(data7, "method")){
if("async" !== data7.method){
const err13 = {};
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
}
}
var _valid0 = _errs21 === errors;
errors = _errs20;
if(vErrors !== null){
if(_errs20){
vErrors.length = _errs20;
}
else {
vErrors = null;
}
}
if(_valid0){
const _errs25 = errors;
if(data7 && typeof data7 == "object" && !Array.isArray(data7)){
if((data7.webhook === undefined) || (!(func0.call(data7, "webhook")))){
const err14 = {instancePath:instancePath+"/delivery",schemaPath:"#/$defs/Delivery/allOf/0/then/required",keyword:"required",params:{missingProperty: "webhook"},message:"must have required property '"+"webhook"+"'"};
if(vErrors === null){
vErrors = [err14];
}
else {
vErrors.push(err14);
}
errors++;
}
}
var _valid0 = _errs25 === errors;
valid5 = _valid0;
}
if(!valid5){
const err15 = {instancePath:instancePath+"/delivery",schemaPath:"#/$defs/Delivery/allOf/0/if",keyword:"if",params:{failingKeyword: "then"},message:"must match \"then\" schema"};
if(vErrors === null){
vErrors = [err15];
}
else {
vErrors.push(err15);
}
errors++;
}
const _errs27 = errors;
let valid8 = true;
const _errs28 = errors;
if(data7 && typeof data7 == "object" && !Array.isArray(data7)){
let missing2;
if(((data7.method === undefined) || (!(func0.call(data7, "method")))) && (missing2 = "method")){
const err16 = {};
if(vErrors === null){
vErrors = [err16];
}
else {
vErrors.push(err16);
}
errors++;
}
else {
if(data7.method !== undefined && func0.call(data7, "method")){
if("email" !== data7.method){
const err17 = {};
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
}
var _valid1 = _errs28 === errors;
errors = _errs27;
if(vErrors !== null){
if(_errs27){
vErrors.length = _errs27;
}
else {
vErrors = null;
}
}
if(_valid1){
const _errs30 = errors;
if(data7 && typeof data7 == "object" && !Array.isArray(data7)){
if((data7.email === undefined) || (!(func0.call(data7, "email")))){
const err18 = {instancePath:instancePath+"/delivery",schemaPath:"#/$defs/Delivery/allOf/1/then/required",keyword:"required",params:{missingProperty: "email"},message:"must have required property '"+"email"+"'"};
if(vErrors === null){
vErrors = [err18];
}
else {
vErrors.push(err18);
}
errors++;
}
}
var _valid1 = _errs30 === errors;
valid8 = _valid1;
}
if(!valid8){
const err19 = {instancePath:instancePath+"/delivery",schemaPath:"#/$defs/Delivery/allOf/1/if",keyword:"if",params:{failingKeyword: "then"},message:"must match \"then\" schema"};
if(vErrors === null){
vErrors = [err19];
}
else {
vErrors.push(err19);
}
errors++;
}
if(data7 && typeof data7 == "object" && !Array.isArray(data7)){
if(data7.method !== undefined && func0.call(data7, "method")){
let data10 = data7.method;
if(typeof data10 !== "string"){
const err20 = {instancePath:instancePath+"/delivery/method",schemaPath:"#/$defs/Delivery/properties/method/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err20];
}
else {
vErrors.push(err20);
}
errors++;
}
if(!(((data10 === "sync") || (data10 === "async")) || (data10 === "email"))){
const err21 = {instancePath:instancePath+"/delivery/method",schemaPath:"#/$defs/Delivery/properties/method/enum",keyword:"enum",params:{allowedValues: schema33.properties.method.enum},message:"must be equal to one of the allowed values"};
if(vErrors === null){
vErrors = [err21];
}
else {
vErrors.push(err21);
}
errors++;
}
}
if(data7.webhook !== undefined && func0.call(data7, "webhook")){
let data11 = data7.webhook;
if(typeof data11 === "string"){
if(func63(data11) < 1){
const err22 = {instancePath:instancePath+"/delivery/webhook",schemaPath:"#/$defs/Delivery/properties/webhook/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"};
if(vErrors === null){
vErrors = [err22];
}
else {
vErrors.push(err22);
}
errors++;
}
}
else {
const err23 = {instancePath:instancePath+"/delivery/webhook",schemaPath:"#/$defs/Delivery/properties/webhook/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err23];
}
else {
vErrors.push(err23);
}
errors++;
}
}
if(data7.email !== undefined && func0.call(data7, "email")){
let data12 = data7.email;
if(typeof data12 === "string"){
if(func63(data12) < 1){
const err24 = {instancePath:instancePath+"/delivery/email",schemaPath:"#/$defs/Delivery/properties/email/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"};
if(vErrors === null){
vErrors = [err24];
}
else {
vErrors.push(err24);
}
errors++;
}
}
else {
const err25 = {instancePath:instancePath+"/delivery/email",schemaPath:"#/$defs/Delivery/properties/email/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err25];
}
else {
vErrors.push(err25);
}
errors++;
}
}
if(data7.status_endpoint !== undefined && func0.call(data7, "status_endpoint")){
let data13 = data7.status_endpoint;
if(typeof data13 === "string"){
if(func63(data13) < 1){
const err26 = {instancePath:instancePath+"/delivery/status_endpoint",schemaPath:"#/$defs/Delivery/properties/status_endpoint/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"};
if(vErrors === null){
vErrors = [err26];
}
else {
vErrors.push(err26);
}
errors++;
}
}
else {
const err27 = {instancePath:instancePath+"/delivery/status_endpoint",schemaPath:"#/$defs/Delivery/properties/status_endpoint/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err27];
}
else {
vErrors.push(err27);
}
errors++;
}
}
}
else {
const err28 = {instancePath:instancePath+"/delivery",schemaPath:"#/$defs/Delivery/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err28];
}
else {
vErrors.push(err28);
}
errors++;
}
}
if(data.task !== undefined && func0.call(data, "task")){
let data14 = data.task;
if(data14 && typeof data14 == "object" && !Array.isArray(data14)){
if((data14.intent === undefined) || (!(func0.call(data14, "intent")))){
const err29 = {instancePath:instancePath+"/task",schemaPath:"#/$defs/Assignment/required",keyword:"required",params:{missingProperty: "intent"},message:"must have required property '"+"intent"+"'"};
if(vErrors === null){
vErrors = [err29];
}
else {
vErrors.push(err29);
}
errors++;
}
if(data14.intent !== undefined && func0.call(data14, "intent")){
let data15 = data14.intent;
if(typeof data15 === "string"){
if(func63(data15) < 1){
const err30 = {instancePath:instancePath+"/task/intent",schemaPath:"#/$defs/Assignment/properties/intent/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"};
if(vErrors === null){
vErrors = [err30];
}
else {
vErrors.push(err30);
}
errors++;
}
}
else {
const err31 = {instancePath:instancePath+"/task/intent",schemaPath:"#/$defs/Assignment/properties/intent/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err31];
}
else {
vErrors.push(err31);
}
errors++;
}
}
if(data14.details !== undefined && func0.call(data14, "details")){
if(typeof data14.details !== "string"){
const err32 = {instancePath:instancePath+"/task/details",schemaPath:"#/$defs/Assignment/properties/details/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err32];
}
else {
vErrors.push(err32);
}
errors++;
}
}
if(data14.context !== undefined && func0.call(data14, "context")){
if(typeof data14.context !== "string"){
const err33 = {instancePath:instancePath+"/task/context",schemaPath:"#/$defs/Assignment/properties/context/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err33];
}
else {
vErrors.push(err33);
}
errors++;
}
}
if(data14.context_ref !== undefined && func0.call(data14, "context_ref")){
let data18 = data14.context_ref;
if(typeof data18 === "string"){
if(func63(data18) < 1){
const err34 = {instancePath:instancePath+"/task/context_ref",schemaPath:"#/$defs/Assignment/properties/context_ref/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"};
if(vErrors === null){
vErrors = [err34];
}
else {
vErrors.push(err34);
}
errors++;
}
}
else {
const err35 = {instancePath:instancePath+"/task/context_ref",schemaPath:"#/$defs/Assignment/properties/context_ref/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err35];
}
else {
vErrors.push(err35);
}
errors++;
}
}
}
else {
const err36 = {instancePath:instancePath+"/task",schemaPath:"#/$defs/Assignment/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err36];
}
else {
vErrors.push(err36);
}
errors++;
}
}
if(data.constraints !== undefined && func0.call(data, "constraints")){
let data19 = data.constraints;
if(data19 && typeof data19 == "object" && !Array.isArray(data19)){
if(data19.time_limit !== undefined && func0.call(data19, "time_limit")){
if(typeof data19.time_limit !== "string"){
const err37 = {instancePath:instancePath+"/constraints/time_limit",schemaPath:"#/$defs/TaskConstraints/properties/time_limit/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err37];
}
else {
vErrors.push(err37);
}
errors++;
}
}
if(data19.token_budget !== undefined && func0.call(data19, "token_budget")){
let data21 = data19.token_budget;
if(!(((typeof data21 == "number") && (!(data21 % 1) && !isNaN(data21))) && (isFinite(data21)))){
const err38 = {instancePath:instancePath+"/constraints/token_budget",schemaPath:"#/$defs/TaskConstraints/properties/token_budget/type",keyword:"type",params:{type: "integer"},message:"must be integer"};
if(vErrors === null){
vErrors = [err38];
}
else {
vErrors.push(err38);
}
errors++;
}
if((typeof data21 == "number") && (isFinite(data21))){
if(data21 < 1 || isNaN(data21)){
const err39 = {instancePath:instancePath+"/constraints/token_budget",schemaPath:"#/$defs/TaskConstraints/properties/token_budget/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1},message:"must be >= 1"};
if(vErrors === null){
vErrors = [err39];
}
else {
vErrors.push(err39);
}
errors++;
}
}
}
if(data19.tools_allowed !== undefined && func0.call(data19, "tools_allowed")){
let data22 = data19.tools_allowed;
if(Array.isArray(data22)){
const len0 = data22.length;
for(let i0=0; i0<len0; i0++){
if(typeof data22[i0] !== "string"){
const err40 = {instancePath:instancePath+"/constraints/tools_allowed/" + i0,schemaPath:"#/$defs/TaskConstraints/properties/tools_allowed/items/type",keyword:"type",params:{type: "string"},message:"must be string"};
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
const err41 = {instancePath:instancePath+"/constraints/tools_allowed",schemaPath:"#/$defs/TaskConstraints/properties/tools_allowed/type",keyword:"type",params:{type: "array"},message:"must be array"};
if(vErrors === null){
vErrors = [err41];
}
else {
vErrors.push(err41);
}
errors++;
}
}
if(data19.tools_denied !== undefined && func0.call(data19, "tools_denied")){
let data24 = data19.tools_denied;
if(Array.isArray(data24)){
const len1 = data24.length;
for(let i1=0; i1<len1; i1++){
if(typeof data24[i1] !== "string"){
const err42 = {instancePath:instancePath+"/constraints/tools_denied/" + i1,schemaPath:"#/$defs/TaskConstraints/properties/tools_denied/items/type",keyword:"type",params:{type: "string"},message:"must be string"};
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
const err43 = {instancePath:instancePath+"/constraints/tools_denied",schemaPath:"#/$defs/TaskConstraints/properties/tools_denied/type",keyword:"type",params:{type: "array"},message:"must be array"};
if(vErrors === null){
vErrors = [err43];
}
else {
vErrors.push(err43);
}
errors++;
}
}
if(data19.scope !== undefined && func0.call(data19, "scope")){
if(typeof data19.scope !== "string"){
const err44 = {instancePath:instancePath+"/constraints/scope",schemaPath:"#/$defs/TaskConstraints/properties/scope/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err44];
}
else {
vErrors.push(err44);
}
errors++;
}
}
if(data19.requires_capabilities !== undefined && func0.call(data19, "requires_capabilities")){
let data27 = data19.requires_capabilities;
if(Array.isArray(data27)){
const len2 = data27.length;
for(let i2=0; i2<len2; i2++){
if(typeof data27[i2] !== "string"){
const err45 = {instancePath:instancePath+"/constraints/requires_capabilities/" + i2,schemaPath:"#/$defs/TaskConstraints/properties/requires_capabilities/items/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err45];
}
else {
vErrors.push(err45);
}
errors++;
}
}
}
else {
const err46 = {instancePath:instancePath+"/constraints/requires_capabilities",schemaPath:"#/$defs/TaskConstraints/properties/requires_capabilities/type",keyword:"type",params:{type: "array"},message:"must be array"};
if(vErrors === null){
vErrors = [err46];
}
else {
vErrors.push(err46);
}
errors++;
}
}
}
else {
const err47 = {instancePath:instancePath+"/constraints",schemaPath:"#/$defs/TaskConstraints/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err47];
}
else {
vErrors.push(err47);
}
errors++;
}
}
if(data.success_criteria !== undefined && func0.call(data, "success_criteria")){
let data29 = data.success_criteria;
if(Array.isArray(data29)){
const len3 = data29.length;
for(let i3=0; i3<len3; i3++){
if(typeof data29[i3] !== "string"){
const err48 = {instancePath:instancePath+"/success_criteria/" + i3,schemaPath:"#/properties/success_criteria/items/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err48];
}
else {
vErrors.push(err48);
}
errors++;
}
}
}
else {
const err49 = {instancePath:instancePath+"/success_criteria",schemaPath:"#/properties/success_criteria/type",keyword:"type",params:{type: "array"},message:"must be array"};
if(vErrors === null){
vErrors = [err49];
}
else {
vErrors.push(err49);
}
errors++;
}
}
if(data.output !== undefined && func0.call(data, "output")){
let data31 = data.output;
if(data31 && typeof data31 == "object" && !Array.isArray(data31)){
if(data31.format !== undefined && func0.call(data31, "format")){
let data32 = data31.format;
if(typeof data32 !== "string"){
const err50 = {instancePath:instancePath+"/output/format",schemaPath:"#/$defs/TaskOutput/properties/format/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err50];
}
else {
vErrors.push(err50);
}
errors++;
}
if(!(((((data32 === "markdown") || (data32 === "json")) || (data32 === "yaml")) || (data32 === "code")) || (data32 === "freeform"))){
const err51 = {instancePath:instancePath+"/output/format",schemaPath:"#/$defs/TaskOutput/properties/format/enum",keyword:"enum",params:{allowedValues: schema36.properties.format.enum},message:"must be equal to one of the allowed values"};
if(vErrors === null){
vErrors = [err51];
}
else {
vErrors.push(err51);
}
errors++;
}
}
if(data31.schema !== undefined && func0.call(data31, "schema")){
let data33 = data31.schema;
if((typeof data33 !== "string") && (!(data33 && typeof data33 == "object" && !Array.isArray(data33)))){
const err52 = {instancePath:instancePath+"/output/schema",schemaPath:"#/$defs/TaskOutput/properties/schema/type",keyword:"type",params:{type: schema36.properties.schema.type},message:"must be string,object"};
if(vErrors === null){
vErrors = [err52];
}
else {
vErrors.push(err52);
}
errors++;
}
}
if(data31.deliver_to !== undefined && func0.call(data31, "deliver_to")){
let data34 = data31.deliver_to;
if(typeof data34 === "string"){
if(func63(data34) < 1){
const err53 = {instancePath:instancePath+"/output/deliver_to",schemaPath:"#/$defs/TaskOutput/properties/deliver_to/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"};
if(vErrors === null){
vErrors = [err53];
}
else {
vErrors.push(err53);
}
errors++;
}
}
else {
const err54 = {instancePath:instancePath+"/output/deliver_to",schemaPath:"#/$defs/TaskOutput/properties/deliver_to/type",keyword:"type",params:{type: "string"},message:"must be string"};
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
const err55 = {instancePath:instancePath+"/output",schemaPath:"#/$defs/TaskOutput/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err55];
}
else {
vErrors.push(err55);
}
errors++;
}
}
if(data.on_failure !== undefined && func0.call(data, "on_failure")){
let data35 = data.on_failure;
if(data35 && typeof data35 == "object" && !Array.isArray(data35)){
if(data35.action !== undefined && func0.call(data35, "action")){
let data36 = data35.action;
if(typeof data36 !== "string"){
const err56 = {instancePath:instancePath+"/on_failure/action",schemaPath:"#/$defs/OnFailure/properties/action/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err56];
}
else {
vErrors.push(err56);
}
errors++;
}
if(!((((data36 === "return_partial") || (data36 === "retry")) || (data36 === "escalate")) || (data36 === "abort"))){
const err57 = {instancePath:instancePath+"/on_failure/action",schemaPath:"#/$defs/OnFailure/properties/action/enum",keyword:"enum",params:{allowedValues: schema37.properties.action.enum},message:"must be equal to one of the allowed values"};
if(vErrors === null){
vErrors = [err57];
}
else {
vErrors.push(err57);
}
errors++;
}
}
if(data35.max_retries !== undefined && func0.call(data35, "max_retries")){
let data37 = data35.max_retries;
if(!(((typeof data37 == "number") && (!(data37 % 1) && !isNaN(data37))) && (isFinite(data37)))){
const err58 = {instancePath:instancePath+"/on_failure/max_retries",schemaPath:"#/$defs/OnFailure/properties/max_retries/type",keyword:"type",params:{type: "integer"},message:"must be integer"};
if(vErrors === null){
vErrors = [err58];
}
else {
vErrors.push(err58);
}
errors++;
}
if((typeof data37 == "number") && (isFinite(data37))){
if(data37 < 0 || isNaN(data37)){
const err59 = {instancePath:instancePath+"/on_failure/max_retries",schemaPath:"#/$defs/OnFailure/properties/max_retries/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"};
if(vErrors === null){
vErrors = [err59];
}
else {
vErrors.push(err59);
}
errors++;
}
}
}
if(data35.escalate_to !== undefined && func0.call(data35, "escalate_to")){
let data38 = data35.escalate_to;
if(typeof data38 === "string"){
if(func63(data38) < 1){
const err60 = {instancePath:instancePath+"/on_failure/escalate_to",schemaPath:"#/$defs/OnFailure/properties/escalate_to/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"};
if(vErrors === null){
vErrors = [err60];
}
else {
vErrors.push(err60);
}
errors++;
}
}
else {
const err61 = {instancePath:instancePath+"/on_failure/escalate_to",schemaPath:"#/$defs/OnFailure/properties/escalate_to/type",keyword:"type",params:{type: "string"},message:"must be string"};
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
const err62 = {instancePath:instancePath+"/on_failure",schemaPath:"#/$defs/OnFailure/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err62];
}
else {
vErrors.push(err62);
}
errors++;
}
}
if(data.parent_task_id !== undefined && func0.call(data, "parent_task_id")){
if(typeof data.parent_task_id !== "string"){
const err63 = {instancePath:instancePath+"/parent_task_id",schemaPath:"#/properties/parent_task_id/type",keyword:"type",params:{type: "string"},message:"must be string"};
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
const err64 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err64];
}
else {
vErrors.push(err64);
}
errors++;
}
validate20.errors = vErrors;
return errors === 0;
}
validate20.evaluated = {"props":{"iap_version":true,"task_id":true,"sender":true,"delivery":true,"task":true,"constraints":true,"success_criteria":true,"output":true,"on_failure":true,"parent_task_id":true},"dynamicProps":false,"dynamicItems":false};
