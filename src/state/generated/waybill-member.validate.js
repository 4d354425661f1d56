// Generated from src/state/waybill-member.schema.ts by `npm run generate`. Do not edit.
"use strict";
export const validate = validate20;
export default validate20;
const schema31 = {"$schema":"https://json-schema.org/draft/2020-12/schema","$id":"urn:waybill:schema:state-member:1","type":"object","required":["v","plan_hash","definition_hash","seq","deadline_in_ms","routes","messages","record_items","run"],"properties":{"v":{"const":1},"plan_hash":{"type":"string"},"definition_hash":{"type":"string"},"seq":{"type":"integer","minimum":0},"user":{"type":"string"},"session":{"type":"string"},"deadline_in_ms":{"anyOf":[{"type":"number","description":"Time left for the turn, in milliseconds."},{"type":"null"}]},"routes":{"type":"array","items":{"type":"object","required":["provider","model"],"properties":{"provider":{"type":"string"},"model":{"type":"string"}},"additionalProperties":false}},"messages":{"type":"array","items":{"type":"object","required":["at"],"properties":{"at":{"type":"integer","minimum":0},"calls":{"type":"array","items":{"type":"object","required":["id","tool","args"],"properties":{"id":{"type":"string"},"tool":{"type":"string"},"args":{"type":"object"},"malformed":{"type":"string"},"fits":{"type":"boolean"},"personal":{"type":"boolean"}},"additionalProperties":false}},"opaque":{"type":"object","required":["provider","parts"],"properties":{"provider":{"type":"string"},"parts":{}},"additionalProperties":false},"error":{"type":"boolean"},"repair":{"type":"boolean"},"recalled":{"type":"array","items":{"type":"string"}},"others":{"type":"boolean"},"triggered":{"type":"boolean"}},"additionalProperties":false}},"record_items":{"type":"array","items":{"type":"object","required":["scope","key"],"properties":{"scope":{"type":"string"},"key":{"type":"string"},"passed":{"type":"boolean"}},"additionalProperties":false}},"run":{"type":"object","required":["status","turn","attempts","attempt","calls","steering","received","turn_start","sent","unsettled","counted","stage","recalling","started_at","background","input","limits","trace_parent","trace_state","depth","named","triggered","handed_off","review","reviews","start_hook_turn","end_hook_turn","tally","repairs","down","answered_by","totals","warnings","agents","partial","end","ending","sent_by_origin"],"properties":{"status":{"type":"string","enum":["running","waiting","paused","completed","failed","refused","cancelled"]},"turn":{"type":"integer","minimum":0},"deadline_of":{"type":"string","enum":["runtime","budget"]},"attempts":{"type":"integer","minimum":0},"attempt":{"anyOf":[{"type":"object","description":"The question to a model that has no answer yet.","required":["n","route","retry","delay_ms","failed"],"properties":{"n":{"type":"integer","minimum":0,"description":"Number of the question."},"route":{"type":"integer","minimum":0,"description":"The route that is asked. An index in `routes`."},"retry":{"type":"integer","minimum":0,"description":"How often this route was tried again."},"delay_ms":{"type":"number","description":"Delay before it is sent.","minimum":0},"due_at":{"type":"number","description":"When it is sent.","minimum":0},"continues":{"type":"boolean","description":"The model continues the interrupted answer, `partial`."},"failed":{"type":"array","items":{"type":"object","description":"A route that was given up.","required":["route","code","message"],"properties":{"route":{"type":"integer","minimum":0,"description":"The route. An index in `routes`."},"code":{"type":"string","description":"Code of the failure."},"message":{"type":"string","description":"Message of the failure."},"hint":{"type":"string","description":"What to do about it."}},"additionalProperties":false},"description":"Routes that were given up for this question."},"why":{"type":"string","description":"Why this route was chosen."},"skipped":{"type":"array","items":{"type":"object","description":"A route that was not used.","required":["route","reason"],"properties":{"route":{"type":"integer","minimum":0,"description":"The route. An index in `routes`."},"reason":{"type":"string","description":"Why."}},"additionalProperties":false},"description":"Routes of a higher rank that were skipped."},"prompt_tokens":{"type":"integer","minimum":0,"description":"Estimated tokens of the question."}},"additionalProperties":false},{"type":"null"}]},"calls":{"type":"array","items":{"type":"object","required":["id","tool","args","key","effect","status"],"properties":{"id":{"type":"string"},"tool":{"type":"string"},"args":{"type":"object"},"key":{"type":"string"},"effect":{"type":"string","enum":["none","idempotent","once"]},"status":{"type":"string","enum":["queued","judging","asking","held","sent","unknown","done"]},"unasked":{"type":"boolean"},"result":{},"error":{"type":"boolean"},"asked_at":{"type":"number","minimum":0},"unsettled":{"type":"boolean"},"by_origin":{"type":"boolean"},"why":{"type":"string"},"proposed":{"type":"object"},"agent":{"type":"object","required":["alias","definition","run_id","input","pass_context","limits"],"properties":{"alias":{"type":"string"},"definition":{"type":"string"},"run_id":{"type":"string"},"input":{},"pass_context":{"type":"boolean"},"memory":{"type":"object"},"limits":{"type":"object","properties":{"tokens":{"type":"number","minimum":0},"usd":{"type":"number","minimum":0},"calls":{"type":"number","minimum":0},"deadline_at":{"type":"number","minimum":0},"deadline_of":{"type":"string","enum":["runtime","budget"]}},"additionalProperties":false},"instead_of":{"type":"string"}},"additionalProperties":false}},"additionalProperties":false}},"steering":{"type":"array","items":{"type":"object","required":["text"],"properties":{"text":{"type":"string"},"message":{"type":"string"}},"additionalProperties":false}},"received":{"type":"array","items":{"type":"string"}},"turn_start":{"type":"object","required":["messages","background"],"properties":{"messages":{"type":"integer","minimum":0},"background":{"type":"object"}},"additionalProperties":false},"sent":{"type":"array","items":{"type":"object","required":["id","tool","args","key","effect","status"],"properties":{"id":{"type":"string"},"tool":{"type":"string"},"args":{"type":"object"},"key":{"type":"string"},"effect":{"type":"string","enum":["none","idempotent","once"]},"status":{"type":"string","enum":["queued","judging","asking","held","sent","unknown","done"]},"unasked":{"type":"boolean"},"result":{},"error":{"type":"boolean"},"asked_at":{"type":"number","minimum":0},"unsettled":{"type":"boolean"},"by_origin":{"type":"boolean"},"why":{"type":"string"},"proposed":{"type":"object"},"agent":{"type":"object","required":["alias","definition","run_id","input","pass_context","limits"],"properties":{"alias":{"type":"string"},"definition":{"type":"string"},"run_id":{"type":"string"},"input":{},"pass_context":{"type":"boolean"},"memory":{"type":"object"},"limits":{"type":"object","properties":{"tokens":{"type":"number","minimum":0},"usd":{"type":"number","minimum":0},"calls":{"type":"number","minimum":0},"deadline_at":{"type":"number","minimum":0},"deadline_of":{"type":"string","enum":["runtime","budget"]}},"additionalProperties":false},"instead_of":{"type":"string"}},"additionalProperties":false}},"additionalProperties":false}},"unsettled":{"type":"array","items":{"type":"object","required":["id","tool","args","key","effect","status"],"properties":{"id":{"type":"string"},"tool":{"type":"string"},"args":{"type":"object"},"key":{"type":"string"},"effect":{"type":"string","enum":["none","idempotent","once"]},"status":{"type":"string","enum":["queued","judging","asking","held","sent","unknown","done"]},"unasked":{"type":"boolean"},"result":{},"error":{"type":"boolean"},"asked_at":{"type":"number","minimum":0},"unsettled":{"type":"boolean"},"by_origin":{"type":"boolean"},"why":{"type":"string"},"proposed":{"type":"object"},"agent":{"type":"object","required":["alias","definition","run_id","input","pass_context","limits"],"properties":{"alias":{"type":"string"},"definition":{"type":"string"},"run_id":{"type":"string"},"input":{},"pass_context":{"type":"boolean"},"memory":{"type":"object"},"limits":{"type":"object","properties":{"tokens":{"type":"number","minimum":0},"usd":{"type":"number","minimum":0},"calls":{"type":"number","minimum":0},"deadline_at":{"type":"number","minimum":0},"deadline_of":{"type":"string","enum":["runtime","budget"]}},"additionalProperties":false},"instead_of":{"type":"string"}},"additionalProperties":false}},"additionalProperties":false}},"counted":{"anyOf":[{"type":"object","description":"Tokens that a provider counted.","required":["tokens","messages"],"properties":{"tokens":{"type":"integer","minimum":0,"description":"Tokens."},"messages":{"type":"integer","minimum":0,"description":"Number of messages."}},"additionalProperties":false},{"type":"null"}]},"stage":{"anyOf":[{"type":"object","description":"Stage of the work of sub-agents.","required":["type"],"properties":{"type":{"type":"string","enum":["pipeline","swarm","route","handoff"],"description":"Kind of the stage."},"step":{"type":"integer","minimum":0,"description":"Of a pipeline: index of the step."},"phase":{"type":"string","enum":["work","judge","merge"],"description":"Of a swarm."},"rule":{"type":"integer","minimum":0,"description":"Of a hand-off: index of the rule."}}},{"type":"null"}]},"choice":{"type":"array","items":{"type":"object","required":["alias","result"],"properties":{"alias":{"type":"string"},"result":{}},"additionalProperties":false}},"recalling":{"type":"boolean"},"started_at":{"type":"number","minimum":0},"background":{"type":"object"},"input":{},"limits":{"type":"object","properties":{"tokens":{"type":"number","minimum":0},"usd":{"type":"number","minimum":0},"calls":{"type":"number","minimum":0},"deadline_at":{"type":"number","minimum":0},"deadline_of":{"type":"string","enum":["runtime","budget"]}},"additionalProperties":false},"trace_parent":{"anyOf":[{"type":"string","description":"W3C traceparent."},{"type":"null"}]},"trace_state":{"anyOf":[{"type":"string","description":"W3C tracestate."},{"type":"null"}]},"depth":{"type":"integer","minimum":0},"named":{"type":"array","items":{"type":"string"}},"triggered":{"type":"boolean"},"withheld":{"type":"boolean"},"handed_off":{"type":"array","items":{"type":"integer","minimum":0}},"review":{"anyOf":[{"type":"object","description":"What a judge reviews.","required":["n","subject"],"properties":{"n":{"type":"integer","minimum":0,"description":"Number of the review."},"subject":{"type":"string","enum":["answer","calls"],"description":"What is reviewed."},"text":{"type":"string","description":"The answer."}}},{"type":"null"}]},"reviews":{"type":"integer","minimum":0},"start_hook_turn":{"type":"integer","minimum":0},"end_hook_turn":{"type":"integer","minimum":0},"tally":{"type":"object","additionalProperties":{"type":"object","description":"One tool.","required":["called","succeeded"],"properties":{"called":{"type":"integer","minimum":0,"description":"Calls."},"succeeded":{"type":"integer","minimum":0,"description":"Successes in this turn."}},"additionalProperties":false}},"repairs":{"type":"integer","minimum":0},"down":{"type":"object","additionalProperties":{"type":"number","description":"Until when.","minimum":0}},"answered_by":{"anyOf":[{"type":"integer","minimum":0,"description":"The route of the last answer. An index in `routes`."},{"type":"null"}]},"totals":{"type":"object","required":["input_tokens","output_tokens","cost_usd","llm_calls","tool_calls","iterations","duration_ms"],"properties":{"input_tokens":{"type":"integer","minimum":0},"output_tokens":{"type":"integer","minimum":0},"cost_usd":{"anyOf":[{"type":"number","description":"US dollars.","minimum":0},{"type":"null"}]},"estimated":{"type":"boolean"},"llm_calls":{"type":"integer","minimum":0},"tool_calls":{"type":"integer","minimum":0},"iterations":{"type":"integer","minimum":0},"duration_ms":{"type":"number","minimum":0}}},"warnings":{"type":"array","items":{"type":"object","required":["code","message"],"properties":{"code":{"type":"string"},"message":{"type":"string"}}}},"agents":{"type":"array","items":{"type":"object","required":["alias","run_id","status"],"properties":{"alias":{"type":"string"},"run_id":{"type":"string"},"status":{"type":"string","enum":["completed","failed","cancelled"]}},"additionalProperties":false}},"partial":{"anyOf":[{"type":"string","description":"Text that a model had written before the run was paused."},{"type":"null"}]},"end":{"anyOf":[{"type":"object","description":"The end of the run.","required":["status","stop_reason"],"properties":{}},{"type":"null"}]},"ending":{"anyOf":[{"type":"object","description":"The end that waits for calls.","required":["end","since"],"properties":{}},{"type":"null"}]},"sent_by_origin":{"type":"array","items":{"type":"object","required":["path","tool","args"],"properties":{"path":{"type":"array","items":{"type":"string"}},"tool":{"type":"string"},"args":{"type":"object"},"result":{},"error":{"type":"boolean"}},"additionalProperties":false}}},"additionalProperties":false},"documents":{"type":"array","items":{"type":"object"}},"receipts":{"type":"array","items":{"type":"object","required":["type"],"properties":{"type":{"type":"string","enum":["receipt","receipts.end"]}}}},"personal_data":{"type":"string"}},"additionalProperties":false};
const func0 = Object.prototype.hasOwnProperty;

function validate20(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
/*# sourceURL="urn:waybill:schema:state-member:1" */;
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
if((data.v === undefined) || (!(func0.call(data, "v")))){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "v"},message:"must have required property '"+"v"+"'"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if((data.plan_hash === undefined) || (!(func0.call(data, "plan_hash")))){
const err1 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "plan_hash"},message:"must have required property '"+"plan_hash"+"'"};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
if((data.definition_hash === undefined) || (!(func0.call(data, "definition_hash")))){
const err2 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "definition_hash"},message:"must have required property '"+"definition_hash"+"'"};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
if((data.seq === undefined) || (!(func0.call(data, "seq")))){
const err3 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "seq"},message:"must have required property '"+"seq"+"'"};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
if((data.deadline_in_ms === undefined) || (!(func0.call(data, "deadline_in_ms")))){
const err4 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "deadline_in_ms"},message:"must have required property '"+"deadline_in_ms"+"'"};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
if((data.routes === undefined) || (!(func0.call(data, "routes")))){
const err5 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "routes"},message:"must have required property '"+"routes"+"'"};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
if((data.messages === undefined) || (!(func0.call(data, "messages")))){
const err6 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "messages"},message:"must have required property '"+"messages"+"'"};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
if((data.record_items === undefined) || (!(func0.call(data, "record_items")))){
const err7 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "record_items"},message:"must have required property '"+"record_items"+"'"};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
if((data.run === undefined) || (!(func0.call(data, "run")))){
const err8 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "run"},message:"must have required property '"+"run"+"'"};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
for(const key0 of Object.keys(data)){
if(!(func0.call(schema31.properties, key0))){
const err9 = {instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
}
if(data.v !== undefined && func0.call(data, "v")){
if(1 !== data.v){
const err10 = {instancePath:instancePath+"/v",schemaPath:"#/properties/v/const",keyword:"const",params:{allowedValue: 1},message:"must be equal to constant"};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
}
}
if(data.plan_hash !== undefined && func0.call(data, "plan_hash")){
if(typeof data.plan_hash !== "string"){
const err11 = {instancePath:instancePath+"/plan_hash",schemaPath:"#/properties/plan_hash/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err11];
}
else {
vErrors.push(err11);
}
errors++;
}
}
if(data.definition_hash !== undefined && func0.call(data, "definition_hash")){
if(typeof data.definition_hash !== "string"){
const err12 = {instancePath:instancePath+"/definition_hash",schemaPath:"#/properties/definition_hash/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err12];
}
else {
vErrors.push(err12);
}
errors++;
}
}
if(data.seq !== undefined && func0.call(data, "seq")){
let data3 = data.seq;
if(!(((typeof data3 == "number") && (!(data3 % 1) && !isNaN(data3))) && (isFinite(data3)))){
const err13 = {instancePath:instancePath+"/seq",schemaPath:"#/properties/seq/type",keyword:"type",params:{type: "integer"},message:"must be integer"};
if(vErrors === null){
vErrors = [err13];
}
else {
vErrors.push(err13);
}
errors++;
}
if((typeof data3 == "number") && (isFinite(data3))){
if(data3 < 0 || isNaN(data3)){
const err14 = {instancePath:instancePath+"/seq",schemaPath:"#/properties/seq/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"};
if(vErrors === null){
vErrors = [err14];
}
else {
vErrors.push(err14);
}
errors++;
}
}
}
if(data.user !== undefined && func0.call(data, "user")){
if(typeof data.user !== "string"){
const err15 = {instancePath:instancePath+"/user",schemaPath:"#/properties/user/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err15];
}
else {
vErrors.push(err15);
}
errors++;
}
}
if(data.session !== undefined && func0.call(data, "session")){
if(typeof data.session !== "string"){
const err16 = {instancePath:instancePath+"/session",schemaPath:"#/properties/session/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err16];
}
else {
vErrors.push(err16);
}
errors++;
}
}
if(data.deadline_in_ms !== undefined && func0.call(data, "deadline_in_ms")){
let data6 = data.deadline_in_ms;
const _errs14 = errors;
let valid1 = false;
const _errs15 = errors;
if(!((typeof data6 == "number") && (isFinite(data6)))){
const err17 = {instancePath:instancePath+"/deadline_in_ms",schemaPath:"#/properties/deadline_in_ms/anyOf/0/type",keyword:"type",params:{type: "number"},message:"must be number"};
if(vErrors === null){
vErrors = [err17];
}
else {
vErrors.push(err17);
}
errors++;
}
var _valid0 = _errs15 === errors;
valid1 = valid1 || _valid0;
const _errs17 = errors;
if(data6 !== null){
const err18 = {instancePath:instancePath+"/deadline_in_ms",schemaPath:"#/properties/deadline_in_ms/anyOf/1/type",keyword:"type",params:{type: "null"},message:"must be null"};
if(vErrors === null){
vErrors = [err18];
}
else {
vErrors.push(err18);
}
errors++;
}
var _valid0 = _errs17 === errors;
valid1 = valid1 || _valid0;
if(!valid1){
const err19 = {instancePath:instancePath+"/deadline_in_ms",schemaPath:"#/properties/deadline_in_ms/anyOf",keyword:"anyOf",params:{},message:"must match a schema in anyOf"};
if(vErrors === null){
vErrors = [err19];
}
else {
vErrors.push(err19);
}
errors++;
}
else {
errors = _errs14;
if(vErrors !== null){
if(_errs14){
vErrors.length = _errs14;
}
else {
vErrors = null;
}
}
}
}
if(data.routes !== undefined && func0.call(data, "routes")){
let data7 = data.routes;
if(Array.isArray(data7)){
const len0 = data7.length;
for(let i0=0; i0<len0; i0++){
let data8 = data7[i0];
if(data8 && typeof data8 == "object" && !Array.isArray(data8)){
if((data8.provider === undefined) || (!(func0.call(data8, "provider")))){
const err20 = {instancePath:instancePath+"/routes/" + i0,schemaPath:"#/properties/routes/items/required",keyword:"required",params:{missingProperty: "provider"},message:"must have required property '"+"provider"+"'"};
if(vErrors === null){
vErrors = [err20];
}
else {
vErrors.push(err20);
}
errors++;
}
if((data8.model === undefined) || (!(func0.call(data8, "model")))){
const err21 = {instancePath:instancePath+"/routes/" + i0,schemaPath:"#/properties/routes/items/required",keyword:"required",params:{missingProperty: "model"},message:"must have required property '"+"model"+"'"};
if(vErrors === null){
vErrors = [err21];
}
else {
vErrors.push(err21);
}
errors++;
}
for(const key1 of Object.keys(data8)){
if(!((key1 === "provider") || (key1 === "model"))){
const err22 = {instancePath:instancePath+"/routes/" + i0,schemaPath:"#/properties/routes/items/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key1},message:"must NOT have additional properties"};
if(vErrors === null){
vErrors = [err22];
}
else {
vErrors.push(err22);
}
errors++;
}
}
if(data8.provider !== undefined && func0.call(data8, "provider")){
if(typeof data8.provider !== "string"){
const err23 = {instancePath:instancePath+"/routes/" + i0+"/provider",schemaPath:"#/properties/routes/items/properties/provider/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err23];
}
else {
vErrors.push(err23);
}
errors++;
}
}
if(data8.model !== undefined && func0.call(data8, "model")){
if(typeof data8.model !== "string"){
const err24 = {instancePath:instancePath+"/routes/" + i0+"/model",schemaPath:"#/properties/routes/items/properties/model/type",keyword:"type",params:{type: "string"},message:"must be string"};
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
const err25 = {instancePath:instancePath+"/routes/" + i0,schemaPath:"#/properties/routes/items/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err25];
}
else {
vErrors.push(err25);
}
errors++;
}
}
}
else {
const err26 = {instancePath:instancePath+"/routes",schemaPath:"#/properties/routes/type",keyword:"type",params:{type: "array"},message:"must be array"};
if(vErrors === null){
vErrors = [err26];
}
else {
vErrors.push(err26);
}
errors++;
}
}
if(data.messages !== undefined && func0.call(data, "messages")){
let data11 = data.messages;
if(Array.isArray(data11)){
const len1 = data11.length;
for(let i1=0; i1<len1; i1++){
let data12 = data11[i1];
if(data12 && typeof data12 == "object" && !Array.isArray(data12)){
if((data12.at === undefined) || (!(func0.call(data12, "at")))){
const err27 = {instancePath:instancePath+"/messages/" + i1,schemaPath:"#/properties/messages/items/required",keyword:"required",params:{missingProperty: "at"},message:"must have required property '"+"at"+"'"};
if(vErrors === null){
vErrors = [err27];
}
else {
vErrors.push(err27);
}
errors++;
}
for(const key2 of Object.keys(data12)){
if(!((((((((key2 === "at") || (key2 === "calls")) || (key2 === "opaque")) || (key2 === "error")) || (key2 === "repair")) || (key2 === "recalled")) || (key2 === "others")) || (key2 === "triggered"))){
const err28 = {instancePath:instancePath+"/messages/" + i1,schemaPath:"#/properties/messages/items/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key2},message:"must NOT have additional properties"};
if(vErrors === null){
vErrors = [err28];
}
else {
vErrors.push(err28);
}
errors++;
}
}
if(data12.at !== undefined && func0.call(data12, "at")){
let data13 = data12.at;
if(!(((typeof data13 == "number") && (!(data13 % 1) && !isNaN(data13))) && (isFinite(data13)))){
const err29 = {instancePath:instancePath+"/messages/" + i1+"/at",schemaPath:"#/properties/messages/items/properties/at/type",keyword:"type",params:{type: "integer"},message:"must be integer"};
if(vErrors === null){
vErrors = [err29];
}
else {
vErrors.push(err29);
}
errors++;
}
if((typeof data13 == "number") && (isFinite(data13))){
if(data13 < 0 || isNaN(data13)){
const err30 = {instancePath:instancePath+"/messages/" + i1+"/at",schemaPath:"#/properties/messages/items/properties/at/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"};
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
if(data12.calls !== undefined && func0.call(data12, "calls")){
let data14 = data12.calls;
if(Array.isArray(data14)){
const len2 = data14.length;
for(let i2=0; i2<len2; i2++){
let data15 = data14[i2];
if(data15 && typeof data15 == "object" && !Array.isArray(data15)){
if((data15.id === undefined) || (!(func0.call(data15, "id")))){
const err31 = {instancePath:instancePath+"/messages/" + i1+"/calls/" + i2,schemaPath:"#/properties/messages/items/properties/calls/items/required",keyword:"required",params:{missingProperty: "id"},message:"must have required property '"+"id"+"'"};
if(vErrors === null){
vErrors = [err31];
}
else {
vErrors.push(err31);
}
errors++;
}
if((data15.tool === undefined) || (!(func0.call(data15, "tool")))){
const err32 = {instancePath:instancePath+"/messages/" + i1+"/calls/" + i2,schemaPath:"#/properties/messages/items/properties/calls/items/required",keyword:"required",params:{missingProperty: "tool"},message:"must have required property '"+"tool"+"'"};
if(vErrors === null){
vErrors = [err32];
}
else {
vErrors.push(err32);
}
errors++;
}
if((data15.args === undefined) || (!(func0.call(data15, "args")))){
const err33 = {instancePath:instancePath+"/messages/" + i1+"/calls/" + i2,schemaPath:"#/properties/messages/items/properties/calls/items/required",keyword:"required",params:{missingProperty: "args"},message:"must have required property '"+"args"+"'"};
if(vErrors === null){
vErrors = [err33];
}
else {
vErrors.push(err33);
}
errors++;
}
for(const key3 of Object.keys(data15)){
if(!((((((key3 === "id") || (key3 === "tool")) || (key3 === "args")) || (key3 === "malformed")) || (key3 === "fits")) || (key3 === "personal"))){
const err34 = {instancePath:instancePath+"/messages/" + i1+"/calls/" + i2,schemaPath:"#/properties/messages/items/properties/calls/items/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key3},message:"must NOT have additional properties"};
if(vErrors === null){
vErrors = [err34];
}
else {
vErrors.push(err34);
}
errors++;
}
}
if(data15.id !== undefined && func0.call(data15, "id")){
if(typeof data15.id !== "string"){
const err35 = {instancePath:instancePath+"/messages/" + i1+"/calls/" + i2+"/id",schemaPath:"#/properties/messages/items/properties/calls/items/properties/id/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err35];
}
else {
vErrors.push(err35);
}
errors++;
}
}
if(data15.tool !== undefined && func0.call(data15, "tool")){
if(typeof data15.tool !== "string"){
const err36 = {instancePath:instancePath+"/messages/" + i1+"/calls/" + i2+"/tool",schemaPath:"#/properties/messages/items/properties/calls/items/properties/tool/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err36];
}
else {
vErrors.push(err36);
}
errors++;
}
}
if(data15.args !== undefined && func0.call(data15, "args")){
let data18 = data15.args;
if(!(data18 && typeof data18 == "object" && !Array.isArray(data18))){
const err37 = {instancePath:instancePath+"/messages/" + i1+"/calls/" + i2+"/args",schemaPath:"#/properties/messages/items/properties/calls/items/properties/args/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err37];
}
else {
vErrors.push(err37);
}
errors++;
}
}
if(data15.malformed !== undefined && func0.call(data15, "malformed")){
if(typeof data15.malformed !== "string"){
const err38 = {instancePath:instancePath+"/messages/" + i1+"/calls/" + i2+"/malformed",schemaPath:"#/properties/messages/items/properties/calls/items/properties/malformed/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err38];
}
else {
vErrors.push(err38);
}
errors++;
}
}
if(data15.fits !== undefined && func0.call(data15, "fits")){
if(typeof data15.fits !== "boolean"){
const err39 = {instancePath:instancePath+"/messages/" + i1+"/calls/" + i2+"/fits",schemaPath:"#/properties/messages/items/properties/calls/items/properties/fits/type",keyword:"type",params:{type: "boolean"},message:"must be boolean"};
if(vErrors === null){
vErrors = [err39];
}
else {
vErrors.push(err39);
}
errors++;
}
}
if(data15.personal !== undefined && func0.call(data15, "personal")){
if(typeof data15.personal !== "boolean"){
const err40 = {instancePath:instancePath+"/messages/" + i1+"/calls/" + i2+"/personal",schemaPath:"#/properties/messages/items/properties/calls/items/properties/personal/type",keyword:"type",params:{type: "boolean"},message:"must be boolean"};
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
const err41 = {instancePath:instancePath+"/messages/" + i1+"/calls/" + i2,schemaPath:"#/properties/messages/items/properties/calls/items/type",keyword:"type",params:{type: "object"},message:"must be object"};
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
const err42 = {instancePath:instancePath+"/messages/" + i1+"/calls",schemaPath:"#/properties/messages/items/properties/calls/type",keyword:"type",params:{type: "array"},message:"must be array"};
if(vErrors === null){
vErrors = [err42];
}
else {
vErrors.push(err42);
}
errors++;
}
}
if(data12.opaque !== undefined && func0.call(data12, "opaque")){
let data22 = data12.opaque;
if(data22 && typeof data22 == "object" && !Array.isArray(data22)){
if((data22.provider === undefined) || (!(func0.call(data22, "provider")))){
const err43 = {instancePath:instancePath+"/messages/" + i1+"/opaque",schemaPath:"#/properties/messages/items/properties/opaque/required",keyword:"required",params:{missingProperty: "provider"},message:"must have required property '"+"provider"+"'"};
if(vErrors === null){
vErrors = [err43];
}
else {
vErrors.push(err43);
}
errors++;
}
if((data22.parts === undefined) || (!(func0.call(data22, "parts")))){
const err44 = {instancePath:instancePath+"/messages/" + i1+"/opaque",schemaPath:"#/properties/messages/items/properties/opaque/required",keyword:"required",params:{missingProperty: "parts"},message:"must have required property '"+"parts"+"'"};
if(vErrors === null){
vErrors = [err44];
}
else {
vErrors.push(err44);
}
errors++;
}
for(const key4 of Object.keys(data22)){
if(!((key4 === "provider") || (key4 === "parts"))){
const err45 = {instancePath:instancePath+"/messages/" + i1+"/opaque",schemaPath:"#/properties/messages/items/properties/opaque/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key4},message:"must NOT have additional properties"};
if(vErrors === null){
vErrors = [err45];
}
else {
vErrors.push(err45);
}
errors++;
}
}
if(data22.provider !== undefined && func0.call(data22, "provider")){
if(typeof data22.provider !== "string"){
const err46 = {instancePath:instancePath+"/messages/" + i1+"/opaque/provider",schemaPath:"#/properties/messages/items/properties/opaque/properties/provider/type",keyword:"type",params:{type: "string"},message:"must be string"};
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
const err47 = {instancePath:instancePath+"/messages/" + i1+"/opaque",schemaPath:"#/properties/messages/items/properties/opaque/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err47];
}
else {
vErrors.push(err47);
}
errors++;
}
}
if(data12.error !== undefined && func0.call(data12, "error")){
if(typeof data12.error !== "boolean"){
const err48 = {instancePath:instancePath+"/messages/" + i1+"/error",schemaPath:"#/properties/messages/items/properties/error/type",keyword:"type",params:{type: "boolean"},message:"must be boolean"};
if(vErrors === null){
vErrors = [err48];
}
else {
vErrors.push(err48);
}
errors++;
}
}
if(data12.repair !== undefined && func0.call(data12, "repair")){
if(typeof data12.repair !== "boolean"){
const err49 = {instancePath:instancePath+"/messages/" + i1+"/repair",schemaPath:"#/properties/messages/items/properties/repair/type",keyword:"type",params:{type: "boolean"},message:"must be boolean"};
if(vErrors === null){
vErrors = [err49];
}
else {
vErrors.push(err49);
}
errors++;
}
}
if(data12.recalled !== undefined && func0.call(data12, "recalled")){
let data26 = data12.recalled;
if(Array.isArray(data26)){
const len3 = data26.length;
for(let i3=0; i3<len3; i3++){
if(typeof data26[i3] !== "string"){
const err50 = {instancePath:instancePath+"/messages/" + i1+"/recalled/" + i3,schemaPath:"#/properties/messages/items/properties/recalled/items/type",keyword:"type",params:{type: "string"},message:"must be string"};
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
const err51 = {instancePath:instancePath+"/messages/" + i1+"/recalled",schemaPath:"#/properties/messages/items/properties/recalled/type",keyword:"type",params:{type: "array"},message:"must be array"};
if(vErrors === null){
vErrors = [err51];
}
else {
vErrors.push(err51);
}
errors++;
}
}
if(data12.others !== undefined && func0.call(data12, "others")){
if(typeof data12.others !== "boolean"){
const err52 = {instancePath:instancePath+"/messages/" + i1+"/others",schemaPath:"#/properties/messages/items/properties/others/type",keyword:"type",params:{type: "boolean"},message:"must be boolean"};
if(vErrors === null){
vErrors = [err52];
}
else {
vErrors.push(err52);
}
errors++;
}
}
if(data12.triggered !== undefined && func0.call(data12, "triggered")){
if(typeof data12.triggered !== "boolean"){
const err53 = {instancePath:instancePath+"/messages/" + i1+"/triggered",schemaPath:"#/properties/messages/items/properties/triggered/type",keyword:"type",params:{type: "boolean"},message:"must be boolean"};
if(vErrors === null){
vErrors = [err53];
}
else {
vErrors.push(err53);
}
errors++;
}
}
}
else {
const err54 = {instancePath:instancePath+"/messages/" + i1,schemaPath:"#/properties/messages/items/type",keyword:"type",params:{type: "object"},message:"must be object"};
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
const err55 = {instancePath:instancePath+"/messages",schemaPath:"#/properties/messages/type",keyword:"type",params:{type: "array"},message:"must be array"};
if(vErrors === null){
vErrors = [err55];
}
else {
vErrors.push(err55);
}
errors++;
}
}
if(data.record_items !== undefined && func0.call(data, "record_items")){
let data30 = data.record_items;
if(Array.isArray(data30)){
const len4 = data30.length;
for(let i4=0; i4<len4; i4++){
let data31 = data30[i4];
if(data31 && typeof data31 == "object" && !Array.isArray(data31)){
if((data31.scope === undefined) || (!(func0.call(data31, "scope")))){
const err56 = {instancePath:instancePath+"/record_items/" + i4,schemaPath:"#/properties/record_items/items/required",keyword:"required",params:{missingProperty: "scope"},message:"must have required property '"+"scope"+"'"};
if(vErrors === null){
vErrors = [err56];
}
else {
vErrors.push(err56);
}
errors++;
}
if((data31.key === undefined) || (!(func0.call(data31, "key")))){
const err57 = {instancePath:instancePath+"/record_items/" + i4,schemaPath:"#/properties/record_items/items/required",keyword:"required",params:{missingProperty: "key"},message:"must have required property '"+"key"+"'"};
if(vErrors === null){
vErrors = [err57];
}
else {
vErrors.push(err57);
}
errors++;
}
for(const key5 of Object.keys(data31)){
if(!(((key5 === "scope") || (key5 === "key")) || (key5 === "passed"))){
const err58 = {instancePath:instancePath+"/record_items/" + i4,schemaPath:"#/properties/record_items/items/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key5},message:"must NOT have additional properties"};
if(vErrors === null){
vErrors = [err58];
}
else {
vErrors.push(err58);
}
errors++;
}
}
if(data31.scope !== undefined && func0.call(data31, "scope")){
if(typeof data31.scope !== "string"){
const err59 = {instancePath:instancePath+"/record_items/" + i4+"/scope",schemaPath:"#/properties/record_items/items/properties/scope/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err59];
}
else {
vErrors.push(err59);
}
errors++;
}
}
if(data31.key !== undefined && func0.call(data31, "key")){
if(typeof data31.key !== "string"){
const err60 = {instancePath:instancePath+"/record_items/" + i4+"/key",schemaPath:"#/properties/record_items/items/properties/key/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err60];
}
else {
vErrors.push(err60);
}
errors++;
}
}
if(data31.passed !== undefined && func0.call(data31, "passed")){
if(typeof data31.passed !== "boolean"){
const err61 = {instancePath:instancePath+"/record_items/" + i4+"/passed",schemaPath:"#/properties/record_items/items/properties/passed/type",keyword:"type",params:{type: "boolean"},message:"must be boolean"};
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
const err62 = {instancePath:instancePath+"/record_items/" + i4,schemaPath:"#/properties/record_items/items/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err62];
}
else {
vErrors.push(err62);
}
errors++;
}
}
}
else {
const err63 = {instancePath:instancePath+"/record_items",schemaPath:"#/properties/record_items/type",keyword:"type",params:{type: "array"},message:"must be array"};
if(vErrors === null){
vErrors = [err63];
}
else {
vErrors.push(err63);
}
errors++;
}
}
if(data.run !== undefined && func0.call(data, "run")){
let data35 = data.run;
if(data35 && typeof data35 == "object" && !Array.isArray(data35)){
if((data35.status === undefined) || (!(func0.call(data35, "status")))){
const err64 = {instancePath:instancePath+"/run",schemaPath:"#/properties/run/required",keyword:"required",params:{missingProperty: "status"},message:"must have required property '"+"status"+"'"};
if(vErrors === null){
vErrors = [err64];
}
else {
vErrors.push(err64);
}
errors++;
}
if((data35.turn === undefined) || (!(func0.call(data35, "turn")))){
const err65 = {instancePath:instancePath+"/run",schemaPath:"#/properties/run/required",keyword:"required",params:{missingProperty: "turn"},message:"must have required property '"+"turn"+"'"};
if(vErrors === null){
vErrors = [err65];
}
else {
vErrors.push(err65);
}
errors++;
}
if((data35.attempts === undefined) || (!(func0.call(data35, "attempts")))){
const err66 = {instancePath:instancePath+"/run",schemaPath:"#/properties/run/required",keyword:"required",params:{missingProperty: "attempts"},message:"must have required property '"+"attempts"+"'"};
if(vErrors === null){
vErrors = [err66];
}
else {
vErrors.push(err66);
}
errors++;
}
if((data35.attempt === undefined) || (!(func0.call(data35, "attempt")))){
const err67 = {instancePath:instancePath+"/run",schemaPath:"#/properties/run/required",keyword:"required",params:{missingProperty: "attempt"},message:"must have required property '"+"attempt"+"'"};
if(vErrors === null){
vErrors = [err67];
}
else {
vErrors.push(err67);
}
errors++;
}
if((data35.calls === undefined) || (!(func0.call(data35, "calls")))){
const err68 = {instancePath:instancePath+"/run",schemaPath:"#/properties/run/required",keyword:"required",params:{missingProperty: "calls"},message:"must have required property '"+"calls"+"'"};
if(vErrors === null){
vErrors = [err68];
}
else {
vErrors.push(err68);
}
errors++;
}
if((data35.steering === undefined) || (!(func0.call(data35, "steering")))){
const err69 = {instancePath:instancePath+"/run",schemaPath:"#/properties/run/required",keyword:"required",params:{missingProperty: "steering"},message:"must have required property '"+"steering"+"'"};
if(vErrors === null){
vErrors = [err69];
}
else {
vErrors.push(err69);
}
errors++;
}
if((data35.received === undefined) || (!(func0.call(data35, "received")))){
const err70 = {instancePath:instancePath+"/run",schemaPath:"#/properties/run/required",keyword:"required",params:{missingProperty: "received"},message:"must have required property '"+"received"+"'"};
if(vErrors === null){
vErrors = [err70];
}
else {
vErrors.push(err70);
}
errors++;
}
if((data35.turn_start === undefined) || (!(func0.call(data35, "turn_start")))){
const err71 = {instancePath:instancePath+"/run",schemaPath:"#/properties/run/required",keyword:"required",params:{missingProperty: "turn_start"},message:"must have required property '"+"turn_start"+"'"};
if(vErrors === null){
vErrors = [err71];
}
else {
vErrors.push(err71);
}
errors++;
}
if((data35.sent === undefined) || (!(func0.call(data35, "sent")))){
const err72 = {instancePath:instancePath+"/run",schemaPath:"#/properties/run/required",keyword:"required",params:{missingProperty: "sent"},message:"must have required property '"+"sent"+"'"};
if(vErrors === null){
vErrors = [err72];
}
else {
vErrors.push(err72);
}
errors++;
}
if((data35.unsettled === undefined) || (!(func0.call(data35, "unsettled")))){
const err73 = {instancePath:instancePath+"/run",schemaPath:"#/properties/run/required",keyword:"required",params:{missingProperty: "unsettled"},message:"must have required property '"+"unsettled"+"'"};
if(vErrors === null){
vErrors = [err73];
}
else {
vErrors.push(err73);
}
errors++;
}
if((data35.counted === undefined) || (!(func0.call(data35, "counted")))){
const err74 = {instancePath:instancePath+"/run",schemaPath:"#/properties/run/required",keyword:"required",params:{missingProperty: "counted"},message:"must have required property '"+"counted"+"'"};
if(vErrors === null){
vErrors = [err74];
}
else {
vErrors.push(err74);
}
errors++;
}
if((data35.stage === undefined) || (!(func0.call(data35, "stage")))){
const err75 = {instancePath:instancePath+"/run",schemaPath:"#/properties/run/required",keyword:"required",params:{missingProperty: "stage"},message:"must have required property '"+"stage"+"'"};
if(vErrors === null){
vErrors = [err75];
}
else {
vErrors.push(err75);
}
errors++;
}
if((data35.recalling === undefined) || (!(func0.call(data35, "recalling")))){
const err76 = {instancePath:instancePath+"/run",schemaPath:"#/properties/run/required",keyword:"required",params:{missingProperty: "recalling"},message:"must have required property '"+"recalling"+"'"};
if(vErrors === null){
vErrors = [err76];
}
else {
vErrors.push(err76);
}
errors++;
}
if((data35.started_at === undefined) || (!(func0.call(data35, "started_at")))){
const err77 = {instancePath:instancePath+"/run",schemaPath:"#/properties/run/required",keyword:"required",params:{missingProperty: "started_at"},message:"must have required property '"+"started_at"+"'"};
if(vErrors === null){
vErrors = [err77];
}
else {
vErrors.push(err77);
}
errors++;
}
if((data35.background === undefined) || (!(func0.call(data35, "background")))){
const err78 = {instancePath:instancePath+"/run",schemaPath:"#/properties/run/required",keyword:"required",params:{missingProperty: "background"},message:"must have required property '"+"background"+"'"};
if(vErrors === null){
vErrors = [err78];
}
else {
vErrors.push(err78);
}
errors++;
}
if((data35.input === undefined) || (!(func0.call(data35, "input")))){
const err79 = {instancePath:instancePath+"/run",schemaPath:"#/properties/run/required",keyword:"required",params:{missingProperty: "input"},message:"must have required property '"+"input"+"'"};
if(vErrors === null){
vErrors = [err79];
}
else {
vErrors.push(err79);
}
errors++;
}
if((data35.limits === undefined) || (!(func0.call(data35, "limits")))){
const err80 = {instancePath:instancePath+"/run",schemaPath:"#/properties/run/required",keyword:"required",params:{missingProperty: "limits"},message:"must have required property '"+"limits"+"'"};
if(vErrors === null){
vErrors = [err80];
}
else {
vErrors.push(err80);
}
errors++;
}
if((data35.trace_parent === undefined) || (!(func0.call(data35, "trace_parent")))){
const err81 = {instancePath:instancePath+"/run",schemaPath:"#/properties/run/required",keyword:"required",params:{missingProperty: "trace_parent"},message:"must have required property '"+"trace_parent"+"'"};
if(vErrors === null){
vErrors = [err81];
}
else {
vErrors.push(err81);
}
errors++;
}
if((data35.trace_state === undefined) || (!(func0.call(data35, "trace_state")))){
const err82 = {instancePath:instancePath+"/run",schemaPath:"#/properties/run/required",keyword:"required",params:{missingProperty: "trace_state"},message:"must have required property '"+"trace_state"+"'"};
if(vErrors === null){
vErrors = [err82];
}
else {
vErrors.push(err82);
}
errors++;
}
if((data35.depth === undefined) || (!(func0.call(data35, "depth")))){
const err83 = {instancePath:instancePath+"/run",schemaPath:"#/properties/run/required",keyword:"required",params:{missingProperty: "depth"},message:"must have required property '"+"depth"+"'"};
if(vErrors === null){
vErrors = [err83];
}
else {
vErrors.push(err83);
}
errors++;
}
if((data35.named === undefined) || (!(func0.call(data35, "named")))){
const err84 = {instancePath:instancePath+"/run",schemaPath:"#/properties/run/required",keyword:"required",params:{missingProperty: "named"},message:"must have required property '"+"named"+"'"};
if(vErrors === null){
vErrors = [err84];
}
else {
vErrors.push(err84);
}
errors++;
}
if((data35.triggered === undefined) || (!(func0.call(data35, "triggered")))){
const err85 = {instancePath:instancePath+"/run",schemaPath:"#/properties/run/required",keyword:"required",params:{missingProperty: "triggered"},message:"must have required property '"+"triggered"+"'"};
if(vErrors === null){
vErrors = [err85];
}
else {
vErrors.push(err85);
}
errors++;
}
if((data35.handed_off === undefined) || (!(func0.call(data35, "handed_off")))){
const err86 = {instancePath:instancePath+"/run",schemaPath:"#/properties/run/required",keyword:"required",params:{missingProperty: "handed_off"},message:"must have required property '"+"handed_off"+"'"};
if(vErrors === null){
vErrors = [err86];
}
else {
vErrors.push(err86);
}
errors++;
}
if((data35.review === undefined) || (!(func0.call(data35, "review")))){
const err87 = {instancePath:instancePath+"/run",schemaPath:"#/properties/run/required",keyword:"required",params:{missingProperty: "review"},message:"must have required property '"+"review"+"'"};
if(vErrors === null){
vErrors = [err87];
}
else {
vErrors.push(err87);
}
errors++;
}
if((data35.reviews === undefined) || (!(func0.call(data35, "reviews")))){
const err88 = {instancePath:instancePath+"/run",schemaPath:"#/properties/run/required",keyword:"required",params:{missingProperty: "reviews"},message:"must have required property '"+"reviews"+"'"};
if(vErrors === null){
vErrors = [err88];
}
else {
vErrors.push(err88);
}
errors++;
}
if((data35.start_hook_turn === undefined) || (!(func0.call(data35, "start_hook_turn")))){
const err89 = {instancePath:instancePath+"/run",schemaPath:"#/properties/run/required",keyword:"required",params:{missingProperty: "start_hook_turn"},message:"must have required property '"+"start_hook_turn"+"'"};
if(vErrors === null){
vErrors = [err89];
}
else {
vErrors.push(err89);
}
errors++;
}
if((data35.end_hook_turn === undefined) || (!(func0.call(data35, "end_hook_turn")))){
const err90 = {instancePath:instancePath+"/run",schemaPath:"#/properties/run/required",keyword:"required",params:{missingProperty: "end_hook_turn"},message:"must have required property '"+"end_hook_turn"+"'"};
if(vErrors === null){
vErrors = [err90];
}
else {
vErrors.push(err90);
}
errors++;
}
if((data35.tally === undefined) || (!(func0.call(data35, "tally")))){
const err91 = {instancePath:instancePath+"/run",schemaPath:"#/properties/run/required",keyword:"required",params:{missingProperty: "tally"},message:"must have required property '"+"tally"+"'"};
if(vErrors === null){
vErrors = [err91];
}
else {
vErrors.push(err91);
}
errors++;
}
if((data35.repairs === undefined) || (!(func0.call(data35, "repairs")))){
const err92 = {instancePath:instancePath+"/run",schemaPath:"#/properties/run/required",keyword:"required",params:{missingProperty: "repairs"},message:"must have required property '"+"repairs"+"'"};
if(vErrors === null){
vErrors = [err92];
}
else {
vErrors.push(err92);
}
errors++;
}
if((data35.down === undefined) || (!(func0.call(data35, "down")))){
const err93 = {instancePath:instancePath+"/run",schemaPath:"#/properties/run/required",keyword:"required",params:{missingProperty: "down"},message:"must have required property '"+"down"+"'"};
if(vErrors === null){
vErrors = [err93];
}
else {
vErrors.push(err93);
}
errors++;
}
if((data35.answered_by === undefined) || (!(func0.call(data35, "answered_by")))){
const err94 = {instancePath:instancePath+"/run",schemaPath:"#/properties/run/required",keyword:"required",params:{missingProperty: "answered_by"},message:"must have required property '"+"answered_by"+"'"};
if(vErrors === null){
vErrors = [err94];
}
else {
vErrors.push(err94);
}
errors++;
}
if((data35.totals === undefined) || (!(func0.call(data35, "totals")))){
const err95 = {instancePath:instancePath+"/run",schemaPath:"#/properties/run/required",keyword:"required",params:{missingProperty: "totals"},message:"must have required property '"+"totals"+"'"};
if(vErrors === null){
vErrors = [err95];
}
else {
vErrors.push(err95);
}
errors++;
}
if((data35.warnings === undefined) || (!(func0.call(data35, "warnings")))){
const err96 = {instancePath:instancePath+"/run",schemaPath:"#/properties/run/required",keyword:"required",params:{missingProperty: "warnings"},message:"must have required property '"+"warnings"+"'"};
if(vErrors === null){
vErrors = [err96];
}
else {
vErrors.push(err96);
}
errors++;
}
if((data35.agents === undefined) || (!(func0.call(data35, "agents")))){
const err97 = {instancePath:instancePath+"/run",schemaPath:"#/properties/run/required",keyword:"required",params:{missingProperty: "agents"},message:"must have required property '"+"agents"+"'"};
if(vErrors === null){
vErrors = [err97];
}
else {
vErrors.push(err97);
}
errors++;
}
if((data35.partial === undefined) || (!(func0.call(data35, "partial")))){
const err98 = {instancePath:instancePath+"/run",schemaPath:"#/properties/run/required",keyword:"required",params:{missingProperty: "partial"},message:"must have required property '"+"partial"+"'"};
if(vErrors === null){
vErrors = [err98];
}
else {
vErrors.push(err98);
}
errors++;
}
if((data35.end === undefined) || (!(func0.call(data35, "end")))){
const err99 = {instancePath:instancePath+"/run",schemaPath:"#/properties/run/required",keyword:"required",params:{missingProperty: "end"},message:"must have required property '"+"end"+"'"};
if(vErrors === null){
vErrors = [err99];
}
else {
vErrors.push(err99);
}
errors++;
}
if((data35.ending === undefined) || (!(func0.call(data35, "ending")))){
const err100 = {instancePath:instancePath+"/run",schemaPath:"#/properties/run/required",keyword:"required",params:{missingProperty: "ending"},message:"must have required property '"+"ending"+"'"};
if(vErrors === null){
vErrors = [err100];
}
else {
vErrors.push(err100);
}
errors++;
}
if((data35.sent_by_origin === undefined) || (!(func0.call(data35, "sent_by_origin")))){
const err101 = {instancePath:instancePath+"/run",schemaPath:"#/properties/run/required",keyword:"required",params:{missingProperty: "sent_by_origin"},message:"must have required property '"+"sent_by_origin"+"'"};
if(vErrors === null){
vErrors = [err101];
}
else {
vErrors.push(err101);
}
errors++;
}
for(const key6 of Object.keys(data35)){
if(!(func0.call(schema31.properties.run.properties, key6))){
const err102 = {instancePath:instancePath+"/run",schemaPath:"#/properties/run/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key6},message:"must NOT have additional properties"};
if(vErrors === null){
vErrors = [err102];
}
else {
vErrors.push(err102);
}
errors++;
}
}
if(data35.status !== undefined && func0.call(data35, "status")){
let data36 = data35.status;
if(typeof data36 !== "string"){
const err103 = {instancePath:instancePath+"/run/status",schemaPath:"#/properties/run/properties/status/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err103];
}
else {
vErrors.push(err103);
}
errors++;
}
if(!(((((((data36 === "running") || (data36 === "waiting")) || (data36 === "paused")) || (data36 === "completed")) || (data36 === "failed")) || (data36 === "refused")) || (data36 === "cancelled"))){
const err104 = {instancePath:instancePath+"/run/status",schemaPath:"#/properties/run/properties/status/enum",keyword:"enum",params:{allowedValues: schema31.properties.run.properties.status.enum},message:"must be equal to one of the allowed values"};
if(vErrors === null){
vErrors = [err104];
}
else {
vErrors.push(err104);
}
errors++;
}
}
if(data35.turn !== undefined && func0.call(data35, "turn")){
let data37 = data35.turn;
if(!(((typeof data37 == "number") && (!(data37 % 1) && !isNaN(data37))) && (isFinite(data37)))){
const err105 = {instancePath:instancePath+"/run/turn",schemaPath:"#/properties/run/properties/turn/type",keyword:"type",params:{type: "integer"},message:"must be integer"};
if(vErrors === null){
vErrors = [err105];
}
else {
vErrors.push(err105);
}
errors++;
}
if((typeof data37 == "number") && (isFinite(data37))){
if(data37 < 0 || isNaN(data37)){
const err106 = {instancePath:instancePath+"/run/turn",schemaPath:"#/properties/run/properties/turn/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"};
if(vErrors === null){
vErrors = [err106];
}
else {
vErrors.push(err106);
}
errors++;
}
}
}
if(data35.deadline_of !== undefined && func0.call(data35, "deadline_of")){
let data38 = data35.deadline_of;
if(typeof data38 !== "string"){
const err107 = {instancePath:instancePath+"/run/deadline_of",schemaPath:"#/properties/run/properties/deadline_of/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err107];
}
else {
vErrors.push(err107);
}
errors++;
}
if(!((data38 === "runtime") || (data38 === "budget"))){
const err108 = {instancePath:instancePath+"/run/deadline_of",schemaPath:"#/properties/run/properties/deadline_of/enum",keyword:"enum",params:{allowedValues: schema31.properties.run.properties.deadline_of.enum},message:"must be equal to one of the allowed values"};
if(vErrors === null){
vErrors = [err108];
}
else {
vErrors.push(err108);
}
errors++;
}
}
if(data35.attempts !== undefined && func0.call(data35, "attempts")){
let data39 = data35.attempts;
if(!(((typeof data39 == "number") && (!(data39 % 1) && !isNaN(data39))) && (isFinite(data39)))){
const err109 = {instancePath:instancePath+"/run/attempts",schemaPath:"#/properties/run/properties/attempts/type",keyword:"type",params:{type: "integer"},message:"must be integer"};
if(vErrors === null){
vErrors = [err109];
}
else {
vErrors.push(err109);
}
errors++;
}
if((typeof data39 == "number") && (isFinite(data39))){
if(data39 < 0 || isNaN(data39)){
const err110 = {instancePath:instancePath+"/run/attempts",schemaPath:"#/properties/run/properties/attempts/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"};
if(vErrors === null){
vErrors = [err110];
}
else {
vErrors.push(err110);
}
errors++;
}
}
}
if(data35.attempt !== undefined && func0.call(data35, "attempt")){
let data40 = data35.attempt;
const _errs92 = errors;
let valid18 = false;
const _errs93 = errors;
if(data40 && typeof data40 == "object" && !Array.isArray(data40)){
if((data40.n === undefined) || (!(func0.call(data40, "n")))){
const err111 = {instancePath:instancePath+"/run/attempt",schemaPath:"#/properties/run/properties/attempt/anyOf/0/required",keyword:"required",params:{missingProperty: "n"},message:"must have required property '"+"n"+"'"};
if(vErrors === null){
vErrors = [err111];
}
else {
vErrors.push(err111);
}
errors++;
}
if((data40.route === undefined) || (!(func0.call(data40, "route")))){
const err112 = {instancePath:instancePath+"/run/attempt",schemaPath:"#/properties/run/properties/attempt/anyOf/0/required",keyword:"required",params:{missingProperty: "route"},message:"must have required property '"+"route"+"'"};
if(vErrors === null){
vErrors = [err112];
}
else {
vErrors.push(err112);
}
errors++;
}
if((data40.retry === undefined) || (!(func0.call(data40, "retry")))){
const err113 = {instancePath:instancePath+"/run/attempt",schemaPath:"#/properties/run/properties/attempt/anyOf/0/required",keyword:"required",params:{missingProperty: "retry"},message:"must have required property '"+"retry"+"'"};
if(vErrors === null){
vErrors = [err113];
}
else {
vErrors.push(err113);
}
errors++;
}
if((data40.delay_ms === undefined) || (!(func0.call(data40, "delay_ms")))){
const err114 = {instancePath:instancePath+"/run/attempt",schemaPath:"#/properties/run/properties/attempt/anyOf/0/required",keyword:"required",params:{missingProperty: "delay_ms"},message:"must have required property '"+"delay_ms"+"'"};
if(vErrors === null){
vErrors = [err114];
}
else {
vErrors.push(err114);
}
errors++;
}
if((data40.failed === undefined) || (!(func0.call(data40, "failed")))){
const err115 = {instancePath:instancePath+"/run/attempt",schemaPath:"#/properties/run/properties/attempt/anyOf/0/required",keyword:"required",params:{missingProperty: "failed"},message:"must have required property '"+"failed"+"'"};
if(vErrors === null){
vErrors = [err115];
}
else {
vErrors.push(err115);
}
errors++;
}
for(const key7 of Object.keys(data40)){
if(!(func0.call(schema31.properties.run.properties.attempt.anyOf[0].properties, key7))){
const err116 = {instancePath:instancePath+"/run/attempt",schemaPath:"#/properties/run/properties/attempt/anyOf/0/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key7},message:"must NOT have additional properties"};
if(vErrors === null){
vErrors = [err116];
}
else {
vErrors.push(err116);
}
errors++;
}
}
if(data40.n !== undefined && func0.call(data40, "n")){
let data41 = data40.n;
if(!(((typeof data41 == "number") && (!(data41 % 1) && !isNaN(data41))) && (isFinite(data41)))){
const err117 = {instancePath:instancePath+"/run/attempt/n",schemaPath:"#/properties/run/properties/attempt/anyOf/0/properties/n/type",keyword:"type",params:{type: "integer"},message:"must be integer"};
if(vErrors === null){
vErrors = [err117];
}
else {
vErrors.push(err117);
}
errors++;
}
if((typeof data41 == "number") && (isFinite(data41))){
if(data41 < 0 || isNaN(data41)){
const err118 = {instancePath:instancePath+"/run/attempt/n",schemaPath:"#/properties/run/properties/attempt/anyOf/0/properties/n/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"};
if(vErrors === null){
vErrors = [err118];
}
else {
vErrors.push(err118);
}
errors++;
}
}
}
if(data40.route !== undefined && func0.call(data40, "route")){
let data42 = data40.route;
if(!(((typeof data42 == "number") && (!(data42 % 1) && !isNaN(data42))) && (isFinite(data42)))){
const err119 = {instancePath:instancePath+"/run/attempt/route",schemaPath:"#/properties/run/properties/attempt/anyOf/0/properties/route/type",keyword:"type",params:{type: "integer"},message:"must be integer"};
if(vErrors === null){
vErrors = [err119];
}
else {
vErrors.push(err119);
}
errors++;
}
if((typeof data42 == "number") && (isFinite(data42))){
if(data42 < 0 || isNaN(data42)){
const err120 = {instancePath:instancePath+"/run/attempt/route",schemaPath:"#/properties/run/properties/attempt/anyOf/0/properties/route/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"};
if(vErrors === null){
vErrors = [err120];
}
else {
vErrors.push(err120);
}
errors++;
}
}
}
if(data40.retry !== undefined && func0.call(data40, "retry")){
let data43 = data40.retry;
if(!(((typeof data43 == "number") && (!(data43 % 1) && !isNaN(data43))) && (isFinite(data43)))){
const err121 = {instancePath:instancePath+"/run/attempt/retry",schemaPath:"#/properties/run/properties/attempt/anyOf/0/properties/retry/type",keyword:"type",params:{type: "integer"},message:"must be integer"};
if(vErrors === null){
vErrors = [err121];
}
else {
vErrors.push(err121);
}
errors++;
}
if((typeof data43 == "number") && (isFinite(data43))){
if(data43 < 0 || isNaN(data43)){
const err122 = {instancePath:instancePath+"/run/attempt/retry",schemaPath:"#/properties/run/properties/attempt/anyOf/0/properties/retry/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"};
if(vErrors === null){
vErrors = [err122];
}
else {
vErrors.push(err122);
}
errors++;
}
}
}
if(data40.delay_ms !== undefined && func0.call(data40, "delay_ms")){
let data44 = data40.delay_ms;
if((typeof data44 == "number") && (isFinite(data44))){
if(data44 < 0 || isNaN(data44)){
const err123 = {instancePath:instancePath+"/run/attempt/delay_ms",schemaPath:"#/properties/run/properties/attempt/anyOf/0/properties/delay_ms/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"};
if(vErrors === null){
vErrors = [err123];
}
else {
vErrors.push(err123);
}
errors++;
}
}
else {
const err124 = {instancePath:instancePath+"/run/attempt/delay_ms",schemaPath:"#/properties/run/properties/attempt/anyOf/0/properties/delay_ms/type",keyword:"type",params:{type: "number"},message:"must be number"};
if(vErrors === null){
vErrors = [err124];
}
else {
vErrors.push(err124);
}
errors++;
}
}
if(data40.due_at !== undefined && func0.call(data40, "due_at")){
let data45 = data40.due_at;
if((typeof data45 == "number") && (isFinite(data45))){
if(data45 < 0 || isNaN(data45)){
const err125 = {instancePath:instancePath+"/run/attempt/due_at",schemaPath:"#/properties/run/properties/attempt/anyOf/0/properties/due_at/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"};
if(vErrors === null){
vErrors = [err125];
}
else {
vErrors.push(err125);
}
errors++;
}
}
else {
const err126 = {instancePath:instancePath+"/run/attempt/due_at",schemaPath:"#/properties/run/properties/attempt/anyOf/0/properties/due_at/type",keyword:"type",params:{type: "number"},message:"must be number"};
if(vErrors === null){
vErrors = [err126];
}
else {
vErrors.push(err126);
}
errors++;
}
}
if(data40.continues !== undefined && func0.call(data40, "continues")){
if(typeof data40.continues !== "boolean"){
const err127 = {instancePath:instancePath+"/run/attempt/continues",schemaPath:"#/properties/run/properties/attempt/anyOf/0/properties/continues/type",keyword:"type",params:{type: "boolean"},message:"must be boolean"};
if(vErrors === null){
vErrors = [err127];
}
else {
vErrors.push(err127);
}
errors++;
}
}
if(data40.failed !== undefined && func0.call(data40, "failed")){
let data47 = data40.failed;
if(Array.isArray(data47)){
const len5 = data47.length;
for(let i5=0; i5<len5; i5++){
let data48 = data47[i5];
if(data48 && typeof data48 == "object" && !Array.isArray(data48)){
if((data48.route === undefined) || (!(func0.call(data48, "route")))){
const err128 = {instancePath:instancePath+"/run/attempt/failed/" + i5,schemaPath:"#/properties/run/properties/attempt/anyOf/0/properties/failed/items/required",keyword:"required",params:{missingProperty: "route"},message:"must have required property '"+"route"+"'"};
if(vErrors === null){
vErrors = [err128];
}
else {
vErrors.push(err128);
}
errors++;
}
if((data48.code === undefined) || (!(func0.call(data48, "code")))){
const err129 = {instancePath:instancePath+"/run/attempt/failed/" + i5,schemaPath:"#/properties/run/properties/attempt/anyOf/0/properties/failed/items/required",keyword:"required",params:{missingProperty: "code"},message:"must have required property '"+"code"+"'"};
if(vErrors === null){
vErrors = [err129];
}
else {
vErrors.push(err129);
}
errors++;
}
if((data48.message === undefined) || (!(func0.call(data48, "message")))){
const err130 = {instancePath:instancePath+"/run/attempt/failed/" + i5,schemaPath:"#/properties/run/properties/attempt/anyOf/0/properties/failed/items/required",keyword:"required",params:{missingProperty: "message"},message:"must have required property '"+"message"+"'"};
if(vErrors === null){
vErrors = [err130];
}
else {
vErrors.push(err130);
}
errors++;
}
for(const key8 of Object.keys(data48)){
if(!((((key8 === "route") || (key8 === "code")) || (key8 === "message")) || (key8 === "hint"))){
const err131 = {instancePath:instancePath+"/run/attempt/failed/" + i5,schemaPath:"#/properties/run/properties/attempt/anyOf/0/properties/failed/items/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key8},message:"must NOT have additional properties"};
if(vErrors === null){
vErrors = [err131];
}
else {
vErrors.push(err131);
}
errors++;
}
}
if(data48.route !== undefined && func0.call(data48, "route")){
let data49 = data48.route;
if(!(((typeof data49 == "number") && (!(data49 % 1) && !isNaN(data49))) && (isFinite(data49)))){
const err132 = {instancePath:instancePath+"/run/attempt/failed/" + i5+"/route",schemaPath:"#/properties/run/properties/attempt/anyOf/0/properties/failed/items/properties/route/type",keyword:"type",params:{type: "integer"},message:"must be integer"};
if(vErrors === null){
vErrors = [err132];
}
else {
vErrors.push(err132);
}
errors++;
}
if((typeof data49 == "number") && (isFinite(data49))){
if(data49 < 0 || isNaN(data49)){
const err133 = {instancePath:instancePath+"/run/attempt/failed/" + i5+"/route",schemaPath:"#/properties/run/properties/attempt/anyOf/0/properties/failed/items/properties/route/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"};
if(vErrors === null){
vErrors = [err133];
}
else {
vErrors.push(err133);
}
errors++;
}
}
}
if(data48.code !== undefined && func0.call(data48, "code")){
if(typeof data48.code !== "string"){
const err134 = {instancePath:instancePath+"/run/attempt/failed/" + i5+"/code",schemaPath:"#/properties/run/properties/attempt/anyOf/0/properties/failed/items/properties/code/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err134];
}
else {
vErrors.push(err134);
}
errors++;
}
}
if(data48.message !== undefined && func0.call(data48, "message")){
if(typeof data48.message !== "string"){
const err135 = {instancePath:instancePath+"/run/attempt/failed/" + i5+"/message",schemaPath:"#/properties/run/properties/attempt/anyOf/0/properties/failed/items/properties/message/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err135];
}
else {
vErrors.push(err135);
}
errors++;
}
}
if(data48.hint !== undefined && func0.call(data48, "hint")){
if(typeof data48.hint !== "string"){
const err136 = {instancePath:instancePath+"/run/attempt/failed/" + i5+"/hint",schemaPath:"#/properties/run/properties/attempt/anyOf/0/properties/failed/items/properties/hint/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err136];
}
else {
vErrors.push(err136);
}
errors++;
}
}
}
else {
const err137 = {instancePath:instancePath+"/run/attempt/failed/" + i5,schemaPath:"#/properties/run/properties/attempt/anyOf/0/properties/failed/items/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err137];
}
else {
vErrors.push(err137);
}
errors++;
}
}
}
else {
const err138 = {instancePath:instancePath+"/run/attempt/failed",schemaPath:"#/properties/run/properties/attempt/anyOf/0/properties/failed/type",keyword:"type",params:{type: "array"},message:"must be array"};
if(vErrors === null){
vErrors = [err138];
}
else {
vErrors.push(err138);
}
errors++;
}
}
if(data40.why !== undefined && func0.call(data40, "why")){
if(typeof data40.why !== "string"){
const err139 = {instancePath:instancePath+"/run/attempt/why",schemaPath:"#/properties/run/properties/attempt/anyOf/0/properties/why/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err139];
}
else {
vErrors.push(err139);
}
errors++;
}
}
if(data40.skipped !== undefined && func0.call(data40, "skipped")){
let data54 = data40.skipped;
if(Array.isArray(data54)){
const len6 = data54.length;
for(let i6=0; i6<len6; i6++){
let data55 = data54[i6];
if(data55 && typeof data55 == "object" && !Array.isArray(data55)){
if((data55.route === undefined) || (!(func0.call(data55, "route")))){
const err140 = {instancePath:instancePath+"/run/attempt/skipped/" + i6,schemaPath:"#/properties/run/properties/attempt/anyOf/0/properties/skipped/items/required",keyword:"required",params:{missingProperty: "route"},message:"must have required property '"+"route"+"'"};
if(vErrors === null){
vErrors = [err140];
}
else {
vErrors.push(err140);
}
errors++;
}
if((data55.reason === undefined) || (!(func0.call(data55, "reason")))){
const err141 = {instancePath:instancePath+"/run/attempt/skipped/" + i6,schemaPath:"#/properties/run/properties/attempt/anyOf/0/properties/skipped/items/required",keyword:"required",params:{missingProperty: "reason"},message:"must have required property '"+"reason"+"'"};
if(vErrors === null){
vErrors = [err141];
}
else {
vErrors.push(err141);
}
errors++;
}
for(const key9 of Object.keys(data55)){
if(!((key9 === "route") || (key9 === "reason"))){
const err142 = {instancePath:instancePath+"/run/attempt/skipped/" + i6,schemaPath:"#/properties/run/properties/attempt/anyOf/0/properties/skipped/items/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key9},message:"must NOT have additional properties"};
if(vErrors === null){
vErrors = [err142];
}
else {
vErrors.push(err142);
}
errors++;
}
}
if(data55.route !== undefined && func0.call(data55, "route")){
let data56 = data55.route;
if(!(((typeof data56 == "number") && (!(data56 % 1) && !isNaN(data56))) && (isFinite(data56)))){
const err143 = {instancePath:instancePath+"/run/attempt/skipped/" + i6+"/route",schemaPath:"#/properties/run/properties/attempt/anyOf/0/properties/skipped/items/properties/route/type",keyword:"type",params:{type: "integer"},message:"must be integer"};
if(vErrors === null){
vErrors = [err143];
}
else {
vErrors.push(err143);
}
errors++;
}
if((typeof data56 == "number") && (isFinite(data56))){
if(data56 < 0 || isNaN(data56)){
const err144 = {instancePath:instancePath+"/run/attempt/skipped/" + i6+"/route",schemaPath:"#/properties/run/properties/attempt/anyOf/0/properties/skipped/items/properties/route/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"};
if(vErrors === null){
vErrors = [err144];
}
else {
vErrors.push(err144);
}
errors++;
}
}
}
if(data55.reason !== undefined && func0.call(data55, "reason")){
if(typeof data55.reason !== "string"){
const err145 = {instancePath:instancePath+"/run/attempt/skipped/" + i6+"/reason",schemaPath:"#/properties/run/properties/attempt/anyOf/0/properties/skipped/items/properties/reason/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err145];
}
else {
vErrors.push(err145);
}
errors++;
}
}
}
else {
const err146 = {instancePath:instancePath+"/run/attempt/skipped/" + i6,schemaPath:"#/properties/run/properties/attempt/anyOf/0/properties/skipped/items/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err146];
}
else {
vErrors.push(err146);
}
errors++;
}
}
}
else {
const err147 = {instancePath:instancePath+"/run/attempt/skipped",schemaPath:"#/properties/run/properties/attempt/anyOf/0/properties/skipped/type",keyword:"type",params:{type: "array"},message:"must be array"};
if(vErrors === null){
vErrors = [err147];
}
else {
vErrors.push(err147);
}
errors++;
}
}
if(data40.prompt_tokens !== undefined && func0.call(data40, "prompt_tokens")){
let data58 = data40.prompt_tokens;
if(!(((typeof data58 == "number") && (!(data58 % 1) && !isNaN(data58))) && (isFinite(data58)))){
const err148 = {instancePath:instancePath+"/run/attempt/prompt_tokens",schemaPath:"#/properties/run/properties/attempt/anyOf/0/properties/prompt_tokens/type",keyword:"type",params:{type: "integer"},message:"must be integer"};
if(vErrors === null){
vErrors = [err148];
}
else {
vErrors.push(err148);
}
errors++;
}
if((typeof data58 == "number") && (isFinite(data58))){
if(data58 < 0 || isNaN(data58)){
const err149 = {instancePath:instancePath+"/run/attempt/prompt_tokens",schemaPath:"#/properties/run/properties/attempt/anyOf/0/properties/prompt_tokens/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"};
if(vErrors === null){
vErrors = [err149];
}
else {
vErrors.push(err149);
}
errors++;
}
}
}
}
else {
const err150 = {instancePath:instancePath+"/run/attempt",schemaPath:"#/properties/run/properties/attempt/anyOf/0/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err150];
}
else {
vErrors.push(err150);
}
errors++;
}
var _valid1 = _errs93 === errors;
valid18 = valid18 || _valid1;
const _errs134 = errors;
if(data40 !== null){
const err151 = {instancePath:instancePath+"/run/attempt",schemaPath:"#/properties/run/properties/attempt/anyOf/1/type",keyword:"type",params:{type: "null"},message:"must be null"};
if(vErrors === null){
vErrors = [err151];
}
else {
vErrors.push(err151);
}
errors++;
}
var _valid1 = _errs134 === errors;
valid18 = valid18 || _valid1;
if(!valid18){
const err152 = {instancePath:instancePath+"/run/attempt",schemaPath:"#/properties/run/properties/attempt/anyOf",keyword:"anyOf",params:{},message:"must match a schema in anyOf"};
if(vErrors === null){
vErrors = [err152];
}
else {
vErrors.push(err152);
}
errors++;
}
else {
errors = _errs92;
if(vErrors !== null){
if(_errs92){
vErrors.length = _errs92;
}
else {
vErrors = null;
}
}
}
}
if(data35.calls !== undefined && func0.call(data35, "calls")){
let data59 = data35.calls;
if(Array.isArray(data59)){
const len7 = data59.length;
for(let i7=0; i7<len7; i7++){
let data60 = data59[i7];
if(data60 && typeof data60 == "object" && !Array.isArray(data60)){
if((data60.id === undefined) || (!(func0.call(data60, "id")))){
const err153 = {instancePath:instancePath+"/run/calls/" + i7,schemaPath:"#/properties/run/properties/calls/items/required",keyword:"required",params:{missingProperty: "id"},message:"must have required property '"+"id"+"'"};
if(vErrors === null){
vErrors = [err153];
}
else {
vErrors.push(err153);
}
errors++;
}
if((data60.tool === undefined) || (!(func0.call(data60, "tool")))){
const err154 = {instancePath:instancePath+"/run/calls/" + i7,schemaPath:"#/properties/run/properties/calls/items/required",keyword:"required",params:{missingProperty: "tool"},message:"must have required property '"+"tool"+"'"};
if(vErrors === null){
vErrors = [err154];
}
else {
vErrors.push(err154);
}
errors++;
}
if((data60.args === undefined) || (!(func0.call(data60, "args")))){
const err155 = {instancePath:instancePath+"/run/calls/" + i7,schemaPath:"#/properties/run/properties/calls/items/required",keyword:"required",params:{missingProperty: "args"},message:"must have required property '"+"args"+"'"};
if(vErrors === null){
vErrors = [err155];
}
else {
vErrors.push(err155);
}
errors++;
}
if((data60.key === undefined) || (!(func0.call(data60, "key")))){
const err156 = {instancePath:instancePath+"/run/calls/" + i7,schemaPath:"#/properties/run/properties/calls/items/required",keyword:"required",params:{missingProperty: "key"},message:"must have required property '"+"key"+"'"};
if(vErrors === null){
vErrors = [err156];
}
else {
vErrors.push(err156);
}
errors++;
}
if((data60.effect === undefined) || (!(func0.call(data60, "effect")))){
const err157 = {instancePath:instancePath+"/run/calls/" + i7,schemaPath:"#/properties/run/properties/calls/items/required",keyword:"required",params:{missingProperty: "effect"},message:"must have required property '"+"effect"+"'"};
if(vErrors === null){
vErrors = [err157];
}
else {
vErrors.push(err157);
}
errors++;
}
if((data60.status === undefined) || (!(func0.call(data60, "status")))){
const err158 = {instancePath:instancePath+"/run/calls/" + i7,schemaPath:"#/properties/run/properties/calls/items/required",keyword:"required",params:{missingProperty: "status"},message:"must have required property '"+"status"+"'"};
if(vErrors === null){
vErrors = [err158];
}
else {
vErrors.push(err158);
}
errors++;
}
for(const key10 of Object.keys(data60)){
if(!(func0.call(schema31.properties.run.properties.calls.items.properties, key10))){
const err159 = {instancePath:instancePath+"/run/calls/" + i7,schemaPath:"#/properties/run/properties/calls/items/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key10},message:"must NOT have additional properties"};
if(vErrors === null){
vErrors = [err159];
}
else {
vErrors.push(err159);
}
errors++;
}
}
if(data60.id !== undefined && func0.call(data60, "id")){
if(typeof data60.id !== "string"){
const err160 = {instancePath:instancePath+"/run/calls/" + i7+"/id",schemaPath:"#/properties/run/properties/calls/items/properties/id/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err160];
}
else {
vErrors.push(err160);
}
errors++;
}
}
if(data60.tool !== undefined && func0.call(data60, "tool")){
if(typeof data60.tool !== "string"){
const err161 = {instancePath:instancePath+"/run/calls/" + i7+"/tool",schemaPath:"#/properties/run/properties/calls/items/properties/tool/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err161];
}
else {
vErrors.push(err161);
}
errors++;
}
}
if(data60.args !== undefined && func0.call(data60, "args")){
let data63 = data60.args;
if(!(data63 && typeof data63 == "object" && !Array.isArray(data63))){
const err162 = {instancePath:instancePath+"/run/calls/" + i7+"/args",schemaPath:"#/properties/run/properties/calls/items/properties/args/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err162];
}
else {
vErrors.push(err162);
}
errors++;
}
}
if(data60.key !== undefined && func0.call(data60, "key")){
if(typeof data60.key !== "string"){
const err163 = {instancePath:instancePath+"/run/calls/" + i7+"/key",schemaPath:"#/properties/run/properties/calls/items/properties/key/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err163];
}
else {
vErrors.push(err163);
}
errors++;
}
}
if(data60.effect !== undefined && func0.call(data60, "effect")){
let data65 = data60.effect;
if(typeof data65 !== "string"){
const err164 = {instancePath:instancePath+"/run/calls/" + i7+"/effect",schemaPath:"#/properties/run/properties/calls/items/properties/effect/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err164];
}
else {
vErrors.push(err164);
}
errors++;
}
if(!(((data65 === "none") || (data65 === "idempotent")) || (data65 === "once"))){
const err165 = {instancePath:instancePath+"/run/calls/" + i7+"/effect",schemaPath:"#/properties/run/properties/calls/items/properties/effect/enum",keyword:"enum",params:{allowedValues: schema31.properties.run.properties.calls.items.properties.effect.enum},message:"must be equal to one of the allowed values"};
if(vErrors === null){
vErrors = [err165];
}
else {
vErrors.push(err165);
}
errors++;
}
}
if(data60.status !== undefined && func0.call(data60, "status")){
let data66 = data60.status;
if(typeof data66 !== "string"){
const err166 = {instancePath:instancePath+"/run/calls/" + i7+"/status",schemaPath:"#/properties/run/properties/calls/items/properties/status/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err166];
}
else {
vErrors.push(err166);
}
errors++;
}
if(!(((((((data66 === "queued") || (data66 === "judging")) || (data66 === "asking")) || (data66 === "held")) || (data66 === "sent")) || (data66 === "unknown")) || (data66 === "done"))){
const err167 = {instancePath:instancePath+"/run/calls/" + i7+"/status",schemaPath:"#/properties/run/properties/calls/items/properties/status/enum",keyword:"enum",params:{allowedValues: schema31.properties.run.properties.calls.items.properties.status.enum},message:"must be equal to one of the allowed values"};
if(vErrors === null){
vErrors = [err167];
}
else {
vErrors.push(err167);
}
errors++;
}
}
if(data60.unasked !== undefined && func0.call(data60, "unasked")){
if(typeof data60.unasked !== "boolean"){
const err168 = {instancePath:instancePath+"/run/calls/" + i7+"/unasked",schemaPath:"#/properties/run/properties/calls/items/properties/unasked/type",keyword:"type",params:{type: "boolean"},message:"must be boolean"};
if(vErrors === null){
vErrors = [err168];
}
else {
vErrors.push(err168);
}
errors++;
}
}
if(data60.error !== undefined && func0.call(data60, "error")){
if(typeof data60.error !== "boolean"){
const err169 = {instancePath:instancePath+"/run/calls/" + i7+"/error",schemaPath:"#/properties/run/properties/calls/items/properties/error/type",keyword:"type",params:{type: "boolean"},message:"must be boolean"};
if(vErrors === null){
vErrors = [err169];
}
else {
vErrors.push(err169);
}
errors++;
}
}
if(data60.asked_at !== undefined && func0.call(data60, "asked_at")){
let data69 = data60.asked_at;
if((typeof data69 == "number") && (isFinite(data69))){
if(data69 < 0 || isNaN(data69)){
const err170 = {instancePath:instancePath+"/run/calls/" + i7+"/asked_at",schemaPath:"#/properties/run/properties/calls/items/properties/asked_at/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"};
if(vErrors === null){
vErrors = [err170];
}
else {
vErrors.push(err170);
}
errors++;
}
}
else {
const err171 = {instancePath:instancePath+"/run/calls/" + i7+"/asked_at",schemaPath:"#/properties/run/properties/calls/items/properties/asked_at/type",keyword:"type",params:{type: "number"},message:"must be number"};
if(vErrors === null){
vErrors = [err171];
}
else {
vErrors.push(err171);
}
errors++;
}
}
if(data60.unsettled !== undefined && func0.call(data60, "unsettled")){
if(typeof data60.unsettled !== "boolean"){
const err172 = {instancePath:instancePath+"/run/calls/" + i7+"/unsettled",schemaPath:"#/properties/run/properties/calls/items/properties/unsettled/type",keyword:"type",params:{type: "boolean"},message:"must be boolean"};
if(vErrors === null){
vErrors = [err172];
}
else {
vErrors.push(err172);
}
errors++;
}
}
if(data60.by_origin !== undefined && func0.call(data60, "by_origin")){
if(typeof data60.by_origin !== "boolean"){
const err173 = {instancePath:instancePath+"/run/calls/" + i7+"/by_origin",schemaPath:"#/properties/run/properties/calls/items/properties/by_origin/type",keyword:"type",params:{type: "boolean"},message:"must be boolean"};
if(vErrors === null){
vErrors = [err173];
}
else {
vErrors.push(err173);
}
errors++;
}
}
if(data60.why !== undefined && func0.call(data60, "why")){
if(typeof data60.why !== "string"){
const err174 = {instancePath:instancePath+"/run/calls/" + i7+"/why",schemaPath:"#/properties/run/properties/calls/items/properties/why/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err174];
}
else {
vErrors.push(err174);
}
errors++;
}
}
if(data60.proposed !== undefined && func0.call(data60, "proposed")){
let data73 = data60.proposed;
if(!(data73 && typeof data73 == "object" && !Array.isArray(data73))){
const err175 = {instancePath:instancePath+"/run/calls/" + i7+"/proposed",schemaPath:"#/properties/run/properties/calls/items/properties/proposed/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err175];
}
else {
vErrors.push(err175);
}
errors++;
}
}
if(data60.agent !== undefined && func0.call(data60, "agent")){
let data74 = data60.agent;
if(data74 && typeof data74 == "object" && !Array.isArray(data74)){
if((data74.alias === undefined) || (!(func0.call(data74, "alias")))){
const err176 = {instancePath:instancePath+"/run/calls/" + i7+"/agent",schemaPath:"#/properties/run/properties/calls/items/properties/agent/required",keyword:"required",params:{missingProperty: "alias"},message:"must have required property '"+"alias"+"'"};
if(vErrors === null){
vErrors = [err176];
}
else {
vErrors.push(err176);
}
errors++;
}
if((data74.definition === undefined) || (!(func0.call(data74, "definition")))){
const err177 = {instancePath:instancePath+"/run/calls/" + i7+"/agent",schemaPath:"#/properties/run/properties/calls/items/properties/agent/required",keyword:"required",params:{missingProperty: "definition"},message:"must have required property '"+"definition"+"'"};
if(vErrors === null){
vErrors = [err177];
}
else {
vErrors.push(err177);
}
errors++;
}
if((data74.run_id === undefined) || (!(func0.call(data74, "run_id")))){
const err178 = {instancePath:instancePath+"/run/calls/" + i7+"/agent",schemaPath:"#/properties/run/properties/calls/items/properties/agent/required",keyword:"required",params:{missingProperty: "run_id"},message:"must have required property '"+"run_id"+"'"};
if(vErrors === null){
vErrors = [err178];
}
else {
vErrors.push(err178);
}
errors++;
}
if((data74.input === undefined) || (!(func0.call(data74, "input")))){
const err179 = {instancePath:instancePath+"/run/calls/" + i7+"/agent",schemaPath:"#/properties/run/properties/calls/items/properties/agent/required",keyword:"required",params:{missingProperty: "input"},message:"must have required property '"+"input"+"'"};
if(vErrors === null){
vErrors = [err179];
}
else {
vErrors.push(err179);
}
errors++;
}
if((data74.pass_context === undefined) || (!(func0.call(data74, "pass_context")))){
const err180 = {instancePath:instancePath+"/run/calls/" + i7+"/agent",schemaPath:"#/properties/run/properties/calls/items/properties/agent/required",keyword:"required",params:{missingProperty: "pass_context"},message:"must have required property '"+"pass_context"+"'"};
if(vErrors === null){
vErrors = [err180];
}
else {
vErrors.push(err180);
}
errors++;
}
if((data74.limits === undefined) || (!(func0.call(data74, "limits")))){
const err181 = {instancePath:instancePath+"/run/calls/" + i7+"/agent",schemaPath:"#/properties/run/properties/calls/items/properties/agent/required",keyword:"required",params:{missingProperty: "limits"},message:"must have required property '"+"limits"+"'"};
if(vErrors === null){
vErrors = [err181];
}
else {
vErrors.push(err181);
}
errors++;
}
for(const key11 of Object.keys(data74)){
if(!((((((((key11 === "alias") || (key11 === "definition")) || (key11 === "run_id")) || (key11 === "input")) || (key11 === "pass_context")) || (key11 === "memory")) || (key11 === "limits")) || (key11 === "instead_of"))){
const err182 = {instancePath:instancePath+"/run/calls/" + i7+"/agent",schemaPath:"#/properties/run/properties/calls/items/properties/agent/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key11},message:"must NOT have additional properties"};
if(vErrors === null){
vErrors = [err182];
}
else {
vErrors.push(err182);
}
errors++;
}
}
if(data74.alias !== undefined && func0.call(data74, "alias")){
if(typeof data74.alias !== "string"){
const err183 = {instancePath:instancePath+"/run/calls/" + i7+"/agent/alias",schemaPath:"#/properties/run/properties/calls/items/properties/agent/properties/alias/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err183];
}
else {
vErrors.push(err183);
}
errors++;
}
}
if(data74.definition !== undefined && func0.call(data74, "definition")){
if(typeof data74.definition !== "string"){
const err184 = {instancePath:instancePath+"/run/calls/" + i7+"/agent/definition",schemaPath:"#/properties/run/properties/calls/items/properties/agent/properties/definition/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err184];
}
else {
vErrors.push(err184);
}
errors++;
}
}
if(data74.run_id !== undefined && func0.call(data74, "run_id")){
if(typeof data74.run_id !== "string"){
const err185 = {instancePath:instancePath+"/run/calls/" + i7+"/agent/run_id",schemaPath:"#/properties/run/properties/calls/items/properties/agent/properties/run_id/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err185];
}
else {
vErrors.push(err185);
}
errors++;
}
}
if(data74.pass_context !== undefined && func0.call(data74, "pass_context")){
if(typeof data74.pass_context !== "boolean"){
const err186 = {instancePath:instancePath+"/run/calls/" + i7+"/agent/pass_context",schemaPath:"#/properties/run/properties/calls/items/properties/agent/properties/pass_context/type",keyword:"type",params:{type: "boolean"},message:"must be boolean"};
if(vErrors === null){
vErrors = [err186];
}
else {
vErrors.push(err186);
}
errors++;
}
}
if(data74.memory !== undefined && func0.call(data74, "memory")){
let data79 = data74.memory;
if(!(data79 && typeof data79 == "object" && !Array.isArray(data79))){
const err187 = {instancePath:instancePath+"/run/calls/" + i7+"/agent/memory",schemaPath:"#/properties/run/properties/calls/items/properties/agent/properties/memory/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err187];
}
else {
vErrors.push(err187);
}
errors++;
}
}
if(data74.limits !== undefined && func0.call(data74, "limits")){
let data80 = data74.limits;
if(data80 && typeof data80 == "object" && !Array.isArray(data80)){
for(const key12 of Object.keys(data80)){
if(!(((((key12 === "tokens") || (key12 === "usd")) || (key12 === "calls")) || (key12 === "deadline_at")) || (key12 === "deadline_of"))){
const err188 = {instancePath:instancePath+"/run/calls/" + i7+"/agent/limits",schemaPath:"#/properties/run/properties/calls/items/properties/agent/properties/limits/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key12},message:"must NOT have additional properties"};
if(vErrors === null){
vErrors = [err188];
}
else {
vErrors.push(err188);
}
errors++;
}
}
if(data80.tokens !== undefined && func0.call(data80, "tokens")){
let data81 = data80.tokens;
if((typeof data81 == "number") && (isFinite(data81))){
if(data81 < 0 || isNaN(data81)){
const err189 = {instancePath:instancePath+"/run/calls/" + i7+"/agent/limits/tokens",schemaPath:"#/properties/run/properties/calls/items/properties/agent/properties/limits/properties/tokens/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"};
if(vErrors === null){
vErrors = [err189];
}
else {
vErrors.push(err189);
}
errors++;
}
}
else {
const err190 = {instancePath:instancePath+"/run/calls/" + i7+"/agent/limits/tokens",schemaPath:"#/properties/run/properties/calls/items/properties/agent/properties/limits/properties/tokens/type",keyword:"type",params:{type: "number"},message:"must be number"};
if(vErrors === null){
vErrors = [err190];
}
else {
vErrors.push(err190);
}
errors++;
}
}
if(data80.usd !== undefined && func0.call(data80, "usd")){
let data82 = data80.usd;
if((typeof data82 == "number") && (isFinite(data82))){
if(data82 < 0 || isNaN(data82)){
const err191 = {instancePath:instancePath+"/run/calls/" + i7+"/agent/limits/usd",schemaPath:"#/properties/run/properties/calls/items/properties/agent/properties/limits/properties/usd/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"};
if(vErrors === null){
vErrors = [err191];
}
else {
vErrors.push(err191);
}
errors++;
}
}
else {
const err192 = {instancePath:instancePath+"/run/calls/" + i7+"/agent/limits/usd",schemaPath:"#/properties/run/properties/calls/items/properties/agent/properties/limits/properties/usd/type",keyword:"type",params:{type: "number"},message:"must be number"};
if(vErrors === null){
vErrors = [err192];
}
else {
vErrors.push(err192);
}
errors++;
}
}
if(data80.calls !== undefined && func0.call(data80, "calls")){
let data83 = data80.calls;
if((typeof data83 == "number") && (isFinite(data83))){
if(data83 < 0 || isNaN(data83)){
const err193 = {instancePath:instancePath+"/run/calls/" + i7+"/agent/limits/calls",schemaPath:"#/properties/run/properties/calls/items/properties/agent/properties/limits/properties/calls/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"};
if(vErrors === null){
vErrors = [err193];
}
else {
vErrors.push(err193);
}
errors++;
}
}
else {
const err194 = {instancePath:instancePath+"/run/calls/" + i7+"/agent/limits/calls",schemaPath:"#/properties/run/properties/calls/items/properties/agent/properties/limits/properties/calls/type",keyword:"type",params:{type: "number"},message:"must be number"};
if(vErrors === null){
vErrors = [err194];
}
else {
vErrors.push(err194);
}
errors++;
}
}
if(data80.deadline_at !== undefined && func0.call(data80, "deadline_at")){
let data84 = data80.deadline_at;
if((typeof data84 == "number") && (isFinite(data84))){
if(data84 < 0 || isNaN(data84)){
const err195 = {instancePath:instancePath+"/run/calls/" + i7+"/agent/limits/deadline_at",schemaPath:"#/properties/run/properties/calls/items/properties/agent/properties/limits/properties/deadline_at/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"};
if(vErrors === null){
vErrors = [err195];
}
else {
vErrors.push(err195);
}
errors++;
}
}
else {
const err196 = {instancePath:instancePath+"/run/calls/" + i7+"/agent/limits/deadline_at",schemaPath:"#/properties/run/properties/calls/items/properties/agent/properties/limits/properties/deadline_at/type",keyword:"type",params:{type: "number"},message:"must be number"};
if(vErrors === null){
vErrors = [err196];
}
else {
vErrors.push(err196);
}
errors++;
}
}
if(data80.deadline_of !== undefined && func0.call(data80, "deadline_of")){
let data85 = data80.deadline_of;
if(typeof data85 !== "string"){
const err197 = {instancePath:instancePath+"/run/calls/" + i7+"/agent/limits/deadline_of",schemaPath:"#/properties/run/properties/calls/items/properties/agent/properties/limits/properties/deadline_of/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err197];
}
else {
vErrors.push(err197);
}
errors++;
}
if(!((data85 === "runtime") || (data85 === "budget"))){
const err198 = {instancePath:instancePath+"/run/calls/" + i7+"/agent/limits/deadline_of",schemaPath:"#/properties/run/properties/calls/items/properties/agent/properties/limits/properties/deadline_of/enum",keyword:"enum",params:{allowedValues: schema31.properties.run.properties.calls.items.properties.agent.properties.limits.properties.deadline_of.enum},message:"must be equal to one of the allowed values"};
if(vErrors === null){
vErrors = [err198];
}
else {
vErrors.push(err198);
}
errors++;
}
}
}
else {
const err199 = {instancePath:instancePath+"/run/calls/" + i7+"/agent/limits",schemaPath:"#/properties/run/properties/calls/items/properties/agent/properties/limits/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err199];
}
else {
vErrors.push(err199);
}
errors++;
}
}
if(data74.instead_of !== undefined && func0.call(data74, "instead_of")){
if(typeof data74.instead_of !== "string"){
const err200 = {instancePath:instancePath+"/run/calls/" + i7+"/agent/instead_of",schemaPath:"#/properties/run/properties/calls/items/properties/agent/properties/instead_of/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err200];
}
else {
vErrors.push(err200);
}
errors++;
}
}
}
else {
const err201 = {instancePath:instancePath+"/run/calls/" + i7+"/agent",schemaPath:"#/properties/run/properties/calls/items/properties/agent/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err201];
}
else {
vErrors.push(err201);
}
errors++;
}
}
}
else {
const err202 = {instancePath:instancePath+"/run/calls/" + i7,schemaPath:"#/properties/run/properties/calls/items/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err202];
}
else {
vErrors.push(err202);
}
errors++;
}
}
}
else {
const err203 = {instancePath:instancePath+"/run/calls",schemaPath:"#/properties/run/properties/calls/type",keyword:"type",params:{type: "array"},message:"must be array"};
if(vErrors === null){
vErrors = [err203];
}
else {
vErrors.push(err203);
}
errors++;
}
}
if(data35.steering !== undefined && func0.call(data35, "steering")){
let data87 = data35.steering;
if(Array.isArray(data87)){
const len8 = data87.length;
for(let i8=0; i8<len8; i8++){
let data88 = data87[i8];
if(data88 && typeof data88 == "object" && !Array.isArray(data88)){
if((data88.text === undefined) || (!(func0.call(data88, "text")))){
const err204 = {instancePath:instancePath+"/run/steering/" + i8,schemaPath:"#/properties/run/properties/steering/items/required",keyword:"required",params:{missingProperty: "text"},message:"must have required property '"+"text"+"'"};
if(vErrors === null){
vErrors = [err204];
}
else {
vErrors.push(err204);
}
errors++;
}
for(const key13 of Object.keys(data88)){
if(!((key13 === "text") || (key13 === "message"))){
const err205 = {instancePath:instancePath+"/run/steering/" + i8,schemaPath:"#/properties/run/properties/steering/items/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key13},message:"must NOT have additional properties"};
if(vErrors === null){
vErrors = [err205];
}
else {
vErrors.push(err205);
}
errors++;
}
}
if(data88.text !== undefined && func0.call(data88, "text")){
if(typeof data88.text !== "string"){
const err206 = {instancePath:instancePath+"/run/steering/" + i8+"/text",schemaPath:"#/properties/run/properties/steering/items/properties/text/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err206];
}
else {
vErrors.push(err206);
}
errors++;
}
}
if(data88.message !== undefined && func0.call(data88, "message")){
if(typeof data88.message !== "string"){
const err207 = {instancePath:instancePath+"/run/steering/" + i8+"/message",schemaPath:"#/properties/run/properties/steering/items/properties/message/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err207];
}
else {
vErrors.push(err207);
}
errors++;
}
}
}
else {
const err208 = {instancePath:instancePath+"/run/steering/" + i8,schemaPath:"#/properties/run/properties/steering/items/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err208];
}
else {
vErrors.push(err208);
}
errors++;
}
}
}
else {
const err209 = {instancePath:instancePath+"/run/steering",schemaPath:"#/properties/run/properties/steering/type",keyword:"type",params:{type: "array"},message:"must be array"};
if(vErrors === null){
vErrors = [err209];
}
else {
vErrors.push(err209);
}
errors++;
}
}
if(data35.received !== undefined && func0.call(data35, "received")){
let data91 = data35.received;
if(Array.isArray(data91)){
const len9 = data91.length;
for(let i9=0; i9<len9; i9++){
if(typeof data91[i9] !== "string"){
const err210 = {instancePath:instancePath+"/run/received/" + i9,schemaPath:"#/properties/run/properties/received/items/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err210];
}
else {
vErrors.push(err210);
}
errors++;
}
}
}
else {
const err211 = {instancePath:instancePath+"/run/received",schemaPath:"#/properties/run/properties/received/type",keyword:"type",params:{type: "array"},message:"must be array"};
if(vErrors === null){
vErrors = [err211];
}
else {
vErrors.push(err211);
}
errors++;
}
}
if(data35.turn_start !== undefined && func0.call(data35, "turn_start")){
let data93 = data35.turn_start;
if(data93 && typeof data93 == "object" && !Array.isArray(data93)){
if((data93.messages === undefined) || (!(func0.call(data93, "messages")))){
const err212 = {instancePath:instancePath+"/run/turn_start",schemaPath:"#/properties/run/properties/turn_start/required",keyword:"required",params:{missingProperty: "messages"},message:"must have required property '"+"messages"+"'"};
if(vErrors === null){
vErrors = [err212];
}
else {
vErrors.push(err212);
}
errors++;
}
if((data93.background === undefined) || (!(func0.call(data93, "background")))){
const err213 = {instancePath:instancePath+"/run/turn_start",schemaPath:"#/properties/run/properties/turn_start/required",keyword:"required",params:{missingProperty: "background"},message:"must have required property '"+"background"+"'"};
if(vErrors === null){
vErrors = [err213];
}
else {
vErrors.push(err213);
}
errors++;
}
for(const key14 of Object.keys(data93)){
if(!((key14 === "messages") || (key14 === "background"))){
const err214 = {instancePath:instancePath+"/run/turn_start",schemaPath:"#/properties/run/properties/turn_start/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key14},message:"must NOT have additional properties"};
if(vErrors === null){
vErrors = [err214];
}
else {
vErrors.push(err214);
}
errors++;
}
}
if(data93.messages !== undefined && func0.call(data93, "messages")){
let data94 = data93.messages;
if(!(((typeof data94 == "number") && (!(data94 % 1) && !isNaN(data94))) && (isFinite(data94)))){
const err215 = {instancePath:instancePath+"/run/turn_start/messages",schemaPath:"#/properties/run/properties/turn_start/properties/messages/type",keyword:"type",params:{type: "integer"},message:"must be integer"};
if(vErrors === null){
vErrors = [err215];
}
else {
vErrors.push(err215);
}
errors++;
}
if((typeof data94 == "number") && (isFinite(data94))){
if(data94 < 0 || isNaN(data94)){
const err216 = {instancePath:instancePath+"/run/turn_start/messages",schemaPath:"#/properties/run/properties/turn_start/properties/messages/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"};
if(vErrors === null){
vErrors = [err216];
}
else {
vErrors.push(err216);
}
errors++;
}
}
}
if(data93.background !== undefined && func0.call(data93, "background")){
let data95 = data93.background;
if(!(data95 && typeof data95 == "object" && !Array.isArray(data95))){
const err217 = {instancePath:instancePath+"/run/turn_start/background",schemaPath:"#/properties/run/properties/turn_start/properties/background/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err217];
}
else {
vErrors.push(err217);
}
errors++;
}
}
}
else {
const err218 = {instancePath:instancePath+"/run/turn_start",schemaPath:"#/properties/run/properties/turn_start/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err218];
}
else {
vErrors.push(err218);
}
errors++;
}
}
if(data35.sent !== undefined && func0.call(data35, "sent")){
let data96 = data35.sent;
if(Array.isArray(data96)){
const len10 = data96.length;
for(let i10=0; i10<len10; i10++){
let data97 = data96[i10];
if(data97 && typeof data97 == "object" && !Array.isArray(data97)){
if((data97.id === undefined) || (!(func0.call(data97, "id")))){
const err219 = {instancePath:instancePath+"/run/sent/" + i10,schemaPath:"#/properties/run/properties/sent/items/required",keyword:"required",params:{missingProperty: "id"},message:"must have required property '"+"id"+"'"};
if(vErrors === null){
vErrors = [err219];
}
else {
vErrors.push(err219);
}
errors++;
}
if((data97.tool === undefined) || (!(func0.call(data97, "tool")))){
const err220 = {instancePath:instancePath+"/run/sent/" + i10,schemaPath:"#/properties/run/properties/sent/items/required",keyword:"required",params:{missingProperty: "tool"},message:"must have required property '"+"tool"+"'"};
if(vErrors === null){
vErrors = [err220];
}
else {
vErrors.push(err220);
}
errors++;
}
if((data97.args === undefined) || (!(func0.call(data97, "args")))){
const err221 = {instancePath:instancePath+"/run/sent/" + i10,schemaPath:"#/properties/run/properties/sent/items/required",keyword:"required",params:{missingProperty: "args"},message:"must have required property '"+"args"+"'"};
if(vErrors === null){
vErrors = [err221];
}
else {
vErrors.push(err221);
}
errors++;
}
if((data97.key === undefined) || (!(func0.call(data97, "key")))){
const err222 = {instancePath:instancePath+"/run/sent/" + i10,schemaPath:"#/properties/run/properties/sent/items/required",keyword:"required",params:{missingProperty: "key"},message:"must have required property '"+"key"+"'"};
if(vErrors === null){
vErrors = [err222];
}
else {
vErrors.push(err222);
}
errors++;
}
if((data97.effect === undefined) || (!(func0.call(data97, "effect")))){
const err223 = {instancePath:instancePath+"/run/sent/" + i10,schemaPath:"#/properties/run/properties/sent/items/required",keyword:"required",params:{missingProperty: "effect"},message:"must have required property '"+"effect"+"'"};
if(vErrors === null){
vErrors = [err223];
}
else {
vErrors.push(err223);
}
errors++;
}
if((data97.status === undefined) || (!(func0.call(data97, "status")))){
const err224 = {instancePath:instancePath+"/run/sent/" + i10,schemaPath:"#/properties/run/properties/sent/items/required",keyword:"required",params:{missingProperty: "status"},message:"must have required property '"+"status"+"'"};
if(vErrors === null){
vErrors = [err224];
}
else {
vErrors.push(err224);
}
errors++;
}
for(const key15 of Object.keys(data97)){
if(!(func0.call(schema31.properties.run.properties.sent.items.properties, key15))){
const err225 = {instancePath:instancePath+"/run/sent/" + i10,schemaPath:"#/properties/run/properties/sent/items/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key15},message:"must NOT have additional properties"};
if(vErrors === null){
vErrors = [err225];
}
else {
vErrors.push(err225);
}
errors++;
}
}
if(data97.id !== undefined && func0.call(data97, "id")){
if(typeof data97.id !== "string"){
const err226 = {instancePath:instancePath+"/run/sent/" + i10+"/id",schemaPath:"#/properties/run/properties/sent/items/properties/id/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err226];
}
else {
vErrors.push(err226);
}
errors++;
}
}
if(data97.tool !== undefined && func0.call(data97, "tool")){
if(typeof data97.tool !== "string"){
const err227 = {instancePath:instancePath+"/run/sent/" + i10+"/tool",schemaPath:"#/properties/run/properties/sent/items/properties/tool/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err227];
}
else {
vErrors.push(err227);
}
errors++;
}
}
if(data97.args !== undefined && func0.call(data97, "args")){
let data100 = data97.args;
if(!(data100 && typeof data100 == "object" && !Array.isArray(data100))){
const err228 = {instancePath:instancePath+"/run/sent/" + i10+"/args",schemaPath:"#/properties/run/properties/sent/items/properties/args/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err228];
}
else {
vErrors.push(err228);
}
errors++;
}
}
if(data97.key !== undefined && func0.call(data97, "key")){
if(typeof data97.key !== "string"){
const err229 = {instancePath:instancePath+"/run/sent/" + i10+"/key",schemaPath:"#/properties/run/properties/sent/items/properties/key/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err229];
}
else {
vErrors.push(err229);
}
errors++;
}
}
if(data97.effect !== undefined && func0.call(data97, "effect")){
let data102 = data97.effect;
if(typeof data102 !== "string"){
const err230 = {instancePath:instancePath+"/run/sent/" + i10+"/effect",schemaPath:"#/properties/run/properties/sent/items/properties/effect/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err230];
}
else {
vErrors.push(err230);
}
errors++;
}
if(!(((data102 === "none") || (data102 === "idempotent")) || (data102 === "once"))){
const err231 = {instancePath:instancePath+"/run/sent/" + i10+"/effect",schemaPath:"#/properties/run/properties/sent/items/properties/effect/enum",keyword:"enum",params:{allowedValues: schema31.properties.run.properties.sent.items.properties.effect.enum},message:"must be equal to one of the allowed values"};
if(vErrors === null){
vErrors = [err231];
}
else {
vErrors.push(err231);
}
errors++;
}
}
if(data97.status !== undefined && func0.call(data97, "status")){
let data103 = data97.status;
if(typeof data103 !== "string"){
const err232 = {instancePath:instancePath+"/run/sent/" + i10+"/status",schemaPath:"#/properties/run/properties/sent/items/properties/status/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err232];
}
else {
vErrors.push(err232);
}
errors++;
}
if(!(((((((data103 === "queued") || (data103 === "judging")) || (data103 === "asking")) || (data103 === "held")) || (data103 === "sent")) || (data103 === "unknown")) || (data103 === "done"))){
const err233 = {instancePath:instancePath+"/run/sent/" + i10+"/status",schemaPath:"#/properties/run/properties/sent/items/properties/status/enum",keyword:"enum",params:{allowedValues: schema31.properties.run.properties.sent.items.properties.status.enum},message:"must be equal to one of the allowed values"};
if(vErrors === null){
vErrors = [err233];
}
else {
vErrors.push(err233);
}
errors++;
}
}
if(data97.unasked !== undefined && func0.call(data97, "unasked")){
if(typeof data97.unasked !== "boolean"){
const err234 = {instancePath:instancePath+"/run/sent/" + i10+"/unasked",schemaPath:"#/properties/run/properties/sent/items/properties/unasked/type",keyword:"type",params:{type: "boolean"},message:"must be boolean"};
if(vErrors === null){
vErrors = [err234];
}
else {
vErrors.push(err234);
}
errors++;
}
}
if(data97.error !== undefined && func0.call(data97, "error")){
if(typeof data97.error !== "boolean"){
const err235 = {instancePath:instancePath+"/run/sent/" + i10+"/error",schemaPath:"#/properties/run/properties/sent/items/properties/error/type",keyword:"type",params:{type: "boolean"},message:"must be boolean"};
if(vErrors === null){
vErrors = [err235];
}
else {
vErrors.push(err235);
}
errors++;
}
}
if(data97.asked_at !== undefined && func0.call(data97, "asked_at")){
let data106 = data97.asked_at;
if((typeof data106 == "number") && (isFinite(data106))){
if(data106 < 0 || isNaN(data106)){
const err236 = {instancePath:instancePath+"/run/sent/" + i10+"/asked_at",schemaPath:"#/properties/run/properties/sent/items/properties/asked_at/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"};
if(vErrors === null){
vErrors = [err236];
}
else {
vErrors.push(err236);
}
errors++;
}
}
else {
const err237 = {instancePath:instancePath+"/run/sent/" + i10+"/asked_at",schemaPath:"#/properties/run/properties/sent/items/properties/asked_at/type",keyword:"type",params:{type: "number"},message:"must be number"};
if(vErrors === null){
vErrors = [err237];
}
else {
vErrors.push(err237);
}
errors++;
}
}
if(data97.unsettled !== undefined && func0.call(data97, "unsettled")){
if(typeof data97.unsettled !== "boolean"){
const err238 = {instancePath:instancePath+"/run/sent/" + i10+"/unsettled",schemaPath:"#/properties/run/properties/sent/items/properties/unsettled/type",keyword:"type",params:{type: "boolean"},message:"must be boolean"};
if(vErrors === null){
vErrors = [err238];
}
else {
vErrors.push(err238);
}
errors++;
}
}
if(data97.by_origin !== undefined && func0.call(data97, "by_origin")){
if(typeof data97.by_origin !== "boolean"){
const err239 = {instancePath:instancePath+"/run/sent/" + i10+"/by_origin",schemaPath:"#/properties/run/properties/sent/items/properties/by_origin/type",keyword:"type",params:{type: "boolean"},message:"must be boolean"};
if(vErrors === null){
vErrors = [err239];
}
else {
vErrors.push(err239);
}
errors++;
}
}
if(data97.why !== undefined && func0.call(data97, "why")){
if(typeof data97.why !== "string"){
const err240 = {instancePath:instancePath+"/run/sent/" + i10+"/why",schemaPath:"#/properties/run/properties/sent/items/properties/why/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err240];
}
else {
vErrors.push(err240);
}
errors++;
}
}
if(data97.proposed !== undefined && func0.call(data97, "proposed")){
let data110 = data97.proposed;
if(!(data110 && typeof data110 == "object" && !Array.isArray(data110))){
const err241 = {instancePath:instancePath+"/run/sent/" + i10+"/proposed",schemaPath:"#/properties/run/properties/sent/items/properties/proposed/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err241];
}
else {
vErrors.push(err241);
}
errors++;
}
}
if(data97.agent !== undefined && func0.call(data97, "agent")){
let data111 = data97.agent;
if(data111 && typeof data111 == "object" && !Array.isArray(data111)){
if((data111.alias === undefined) || (!(func0.call(data111, "alias")))){
const err242 = {instancePath:instancePath+"/run/sent/" + i10+"/agent",schemaPath:"#/properties/run/properties/sent/items/properties/agent/required",keyword:"required",params:{missingProperty: "alias"},message:"must have required property '"+"alias"+"'"};
if(vErrors === null){
vErrors = [err242];
}
else {
vErrors.push(err242);
}
errors++;
}
if((data111.definition === undefined) || (!(func0.call(data111, "definition")))){
const err243 = {instancePath:instancePath+"/run/sent/" + i10+"/agent",schemaPath:"#/properties/run/properties/sent/items/properties/agent/required",keyword:"required",params:{missingProperty: "definition"},message:"must have required property '"+"definition"+"'"};
if(vErrors === null){
vErrors = [err243];
}
else {
vErrors.push(err243);
}
errors++;
}
if((data111.run_id === undefined) || (!(func0.call(data111, "run_id")))){
const err244 = {instancePath:instancePath+"/run/sent/" + i10+"/agent",schemaPath:"#/properties/run/properties/sent/items/properties/agent/required",keyword:"required",params:{missingProperty: "run_id"},message:"must have required property '"+"run_id"+"'"};
if(vErrors === null){
vErrors = [err244];
}
else {
vErrors.push(err244);
}
errors++;
}
if((data111.input === undefined) || (!(func0.call(data111, "input")))){
const err245 = {instancePath:instancePath+"/run/sent/" + i10+"/agent",schemaPath:"#/properties/run/properties/sent/items/properties/agent/required",keyword:"required",params:{missingProperty: "input"},message:"must have required property '"+"input"+"'"};
if(vErrors === null){
vErrors = [err245];
}
else {
vErrors.push(err245);
}
errors++;
}
if((data111.pass_context === undefined) || (!(func0.call(data111, "pass_context")))){
const err246 = {instancePath:instancePath+"/run/sent/" + i10+"/agent",schemaPath:"#/properties/run/properties/sent/items/properties/agent/required",keyword:"required",params:{missingProperty: "pass_context"},message:"must have required property '"+"pass_context"+"'"};
if(vErrors === null){
vErrors = [err246];
}
else {
vErrors.push(err246);
}
errors++;
}
if((data111.limits === undefined) || (!(func0.call(data111, "limits")))){
const err247 = {instancePath:instancePath+"/run/sent/" + i10+"/agent",schemaPath:"#/properties/run/properties/sent/items/properties/agent/required",keyword:"required",params:{missingProperty: "limits"},message:"must have required property '"+"limits"+"'"};
if(vErrors === null){
vErrors = [err247];
}
else {
vErrors.push(err247);
}
errors++;
}
for(const key16 of Object.keys(data111)){
if(!((((((((key16 === "alias") || (key16 === "definition")) || (key16 === "run_id")) || (key16 === "input")) || (key16 === "pass_context")) || (key16 === "memory")) || (key16 === "limits")) || (key16 === "instead_of"))){
const err248 = {instancePath:instancePath+"/run/sent/" + i10+"/agent",schemaPath:"#/properties/run/properties/sent/items/properties/agent/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key16},message:"must NOT have additional properties"};
if(vErrors === null){
vErrors = [err248];
}
else {
vErrors.push(err248);
}
errors++;
}
}
if(data111.alias !== undefined && func0.call(data111, "alias")){
if(typeof data111.alias !== "string"){
const err249 = {instancePath:instancePath+"/run/sent/" + i10+"/agent/alias",schemaPath:"#/properties/run/properties/sent/items/properties/agent/properties/alias/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err249];
}
else {
vErrors.push(err249);
}
errors++;
}
}
if(data111.definition !== undefined && func0.call(data111, "definition")){
if(typeof data111.definition !== "string"){
const err250 = {instancePath:instancePath+"/run/sent/" + i10+"/agent/definition",schemaPath:"#/properties/run/properties/sent/items/properties/agent/properties/definition/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err250];
}
else {
vErrors.push(err250);
}
errors++;
}
}
if(data111.run_id !== undefined && func0.call(data111, "run_id")){
if(typeof data111.run_id !== "string"){
const err251 = {instancePath:instancePath+"/run/sent/" + i10+"/agent/run_id",schemaPath:"#/properties/run/properties/sent/items/properties/agent/properties/run_id/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err251];
}
else {
vErrors.push(err251);
}
errors++;
}
}
if(data111.pass_context !== undefined && func0.call(data111, "pass_context")){
if(typeof data111.pass_context !== "boolean"){
const err252 = {instancePath:instancePath+"/run/sent/" + i10+"/agent/pass_context",schemaPath:"#/properties/run/properties/sent/items/properties/agent/properties/pass_context/type",keyword:"type",params:{type: "boolean"},message:"must be boolean"};
if(vErrors === null){
vErrors = [err252];
}
else {
vErrors.push(err252);
}
errors++;
}
}
if(data111.memory !== undefined && func0.call(data111, "memory")){
let data116 = data111.memory;
if(!(data116 && typeof data116 == "object" && !Array.isArray(data116))){
const err253 = {instancePath:instancePath+"/run/sent/" + i10+"/agent/memory",schemaPath:"#/properties/run/properties/sent/items/properties/agent/properties/memory/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err253];
}
else {
vErrors.push(err253);
}
errors++;
}
}
if(data111.limits !== undefined && func0.call(data111, "limits")){
let data117 = data111.limits;
if(data117 && typeof data117 == "object" && !Array.isArray(data117)){
for(const key17 of Object.keys(data117)){
if(!(((((key17 === "tokens") || (key17 === "usd")) || (key17 === "calls")) || (key17 === "deadline_at")) || (key17 === "deadline_of"))){
const err254 = {instancePath:instancePath+"/run/sent/" + i10+"/agent/limits",schemaPath:"#/properties/run/properties/sent/items/properties/agent/properties/limits/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key17},message:"must NOT have additional properties"};
if(vErrors === null){
vErrors = [err254];
}
else {
vErrors.push(err254);
}
errors++;
}
}
if(data117.tokens !== undefined && func0.call(data117, "tokens")){
let data118 = data117.tokens;
if((typeof data118 == "number") && (isFinite(data118))){
if(data118 < 0 || isNaN(data118)){
const err255 = {instancePath:instancePath+"/run/sent/" + i10+"/agent/limits/tokens",schemaPath:"#/properties/run/properties/sent/items/properties/agent/properties/limits/properties/tokens/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"};
if(vErrors === null){
vErrors = [err255];
}
else {
vErrors.push(err255);
}
errors++;
}
}
else {
const err256 = {instancePath:instancePath+"/run/sent/" + i10+"/agent/limits/tokens",schemaPath:"#/properties/run/properties/sent/items/properties/agent/properties/limits/properties/tokens/type",keyword:"type",params:{type: "number"},message:"must be number"};
if(vErrors === null){
vErrors = [err256];
}
else {
vErrors.push(err256);
}
errors++;
}
}
if(data117.usd !== undefined && func0.call(data117, "usd")){
let data119 = data117.usd;
if((typeof data119 == "number") && (isFinite(data119))){
if(data119 < 0 || isNaN(data119)){
const err257 = {instancePath:instancePath+"/run/sent/" + i10+"/agent/limits/usd",schemaPath:"#/properties/run/properties/sent/items/properties/agent/properties/limits/properties/usd/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"};
if(vErrors === null){
vErrors = [err257];
}
else {
vErrors.push(err257);
}
errors++;
}
}
else {
const err258 = {instancePath:instancePath+"/run/sent/" + i10+"/agent/limits/usd",schemaPath:"#/properties/run/properties/sent/items/properties/agent/properties/limits/properties/usd/type",keyword:"type",params:{type: "number"},message:"must be number"};
if(vErrors === null){
vErrors = [err258];
}
else {
vErrors.push(err258);
}
errors++;
}
}
if(data117.calls !== undefined && func0.call(data117, "calls")){
let data120 = data117.calls;
if((typeof data120 == "number") && (isFinite(data120))){
if(data120 < 0 || isNaN(data120)){
const err259 = {instancePath:instancePath+"/run/sent/" + i10+"/agent/limits/calls",schemaPath:"#/properties/run/properties/sent/items/properties/agent/properties/limits/properties/calls/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"};
if(vErrors === null){
vErrors = [err259];
}
else {
vErrors.push(err259);
}
errors++;
}
}
else {
const err260 = {instancePath:instancePath+"/run/sent/" + i10+"/agent/limits/calls",schemaPath:"#/properties/run/properties/sent/items/properties/agent/properties/limits/properties/calls/type",keyword:"type",params:{type: "number"},message:"must be number"};
if(vErrors === null){
vErrors = [err260];
}
else {
vErrors.push(err260);
}
errors++;
}
}
if(data117.deadline_at !== undefined && func0.call(data117, "deadline_at")){
let data121 = data117.deadline_at;
if((typeof data121 == "number") && (isFinite(data121))){
if(data121 < 0 || isNaN(data121)){
const err261 = {instancePath:instancePath+"/run/sent/" + i10+"/agent/limits/deadline_at",schemaPath:"#/properties/run/properties/sent/items/properties/agent/properties/limits/properties/deadline_at/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"};
if(vErrors === null){
vErrors = [err261];
}
else {
vErrors.push(err261);
}
errors++;
}
}
else {
const err262 = {instancePath:instancePath+"/run/sent/" + i10+"/agent/limits/deadline_at",schemaPath:"#/properties/run/properties/sent/items/properties/agent/properties/limits/properties/deadline_at/type",keyword:"type",params:{type: "number"},message:"must be number"};
if(vErrors === null){
vErrors = [err262];
}
else {
vErrors.push(err262);
}
errors++;
}
}
if(data117.deadline_of !== undefined && func0.call(data117, "deadline_of")){
let data122 = data117.deadline_of;
if(typeof data122 !== "string"){
const err263 = {instancePath:instancePath+"/run/sent/" + i10+"/agent/limits/deadline_of",schemaPath:"#/properties/run/properties/sent/items/properties/agent/properties/limits/properties/deadline_of/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err263];
}
else {
vErrors.push(err263);
}
errors++;
}
if(!((data122 === "runtime") || (data122 === "budget"))){
const err264 = {instancePath:instancePath+"/run/sent/" + i10+"/agent/limits/deadline_of",schemaPath:"#/properties/run/properties/sent/items/properties/agent/properties/limits/properties/deadline_of/enum",keyword:"enum",params:{allowedValues: schema31.properties.run.properties.sent.items.properties.agent.properties.limits.properties.deadline_of.enum},message:"must be equal to one of the allowed values"};
if(vErrors === null){
vErrors = [err264];
}
else {
vErrors.push(err264);
}
errors++;
}
}
}
else {
const err265 = {instancePath:instancePath+"/run/sent/" + i10+"/agent/limits",schemaPath:"#/properties/run/properties/sent/items/properties/agent/properties/limits/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err265];
}
else {
vErrors.push(err265);
}
errors++;
}
}
if(data111.instead_of !== undefined && func0.call(data111, "instead_of")){
if(typeof data111.instead_of !== "string"){
const err266 = {instancePath:instancePath+"/run/sent/" + i10+"/agent/instead_of",schemaPath:"#/properties/run/properties/sent/items/properties/agent/properties/instead_of/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err266];
}
else {
vErrors.push(err266);
}
errors++;
}
}
}
else {
const err267 = {instancePath:instancePath+"/run/sent/" + i10+"/agent",schemaPath:"#/properties/run/properties/sent/items/properties/agent/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err267];
}
else {
vErrors.push(err267);
}
errors++;
}
}
}
else {
const err268 = {instancePath:instancePath+"/run/sent/" + i10,schemaPath:"#/properties/run/properties/sent/items/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err268];
}
else {
vErrors.push(err268);
}
errors++;
}
}
}
else {
const err269 = {instancePath:instancePath+"/run/sent",schemaPath:"#/properties/run/properties/sent/type",keyword:"type",params:{type: "array"},message:"must be array"};
if(vErrors === null){
vErrors = [err269];
}
else {
vErrors.push(err269);
}
errors++;
}
}
if(data35.unsettled !== undefined && func0.call(data35, "unsettled")){
let data124 = data35.unsettled;
if(Array.isArray(data124)){
const len11 = data124.length;
for(let i11=0; i11<len11; i11++){
let data125 = data124[i11];
if(data125 && typeof data125 == "object" && !Array.isArray(data125)){
if((data125.id === undefined) || (!(func0.call(data125, "id")))){
const err270 = {instancePath:instancePath+"/run/unsettled/" + i11,schemaPath:"#/properties/run/properties/unsettled/items/required",keyword:"required",params:{missingProperty: "id"},message:"must have required property '"+"id"+"'"};
if(vErrors === null){
vErrors = [err270];
}
else {
vErrors.push(err270);
}
errors++;
}
if((data125.tool === undefined) || (!(func0.call(data125, "tool")))){
const err271 = {instancePath:instancePath+"/run/unsettled/" + i11,schemaPath:"#/properties/run/properties/unsettled/items/required",keyword:"required",params:{missingProperty: "tool"},message:"must have required property '"+"tool"+"'"};
if(vErrors === null){
vErrors = [err271];
}
else {
vErrors.push(err271);
}
errors++;
}
if((data125.args === undefined) || (!(func0.call(data125, "args")))){
const err272 = {instancePath:instancePath+"/run/unsettled/" + i11,schemaPath:"#/properties/run/properties/unsettled/items/required",keyword:"required",params:{missingProperty: "args"},message:"must have required property '"+"args"+"'"};
if(vErrors === null){
vErrors = [err272];
}
else {
vErrors.push(err272);
}
errors++;
}
if((data125.key === undefined) || (!(func0.call(data125, "key")))){
const err273 = {instancePath:instancePath+"/run/unsettled/" + i11,schemaPath:"#/properties/run/properties/unsettled/items/required",keyword:"required",params:{missingProperty: "key"},message:"must have required property '"+"key"+"'"};
if(vErrors === null){
vErrors = [err273];
}
else {
vErrors.push(err273);
}
errors++;
}
if((data125.effect === undefined) || (!(func0.call(data125, "effect")))){
const err274 = {instancePath:instancePath+"/run/unsettled/" + i11,schemaPath:"#/properties/run/properties/unsettled/items/required",keyword:"required",params:{missingProperty: "effect"},message:"must have required property '"+"effect"+"'"};
if(vErrors === null){
vErrors = [err274];
}
else {
vErrors.push(err274);
}
errors++;
}
if((data125.status === undefined) || (!(func0.call(data125, "status")))){
const err275 = {instancePath:instancePath+"/run/unsettled/" + i11,schemaPath:"#/properties/run/properties/unsettled/items/required",keyword:"required",params:{missingProperty: "status"},message:"must have required property '"+"status"+"'"};
if(vErrors === null){
vErrors = [err275];
}
else {
vErrors.push(err275);
}
errors++;
}
for(const key18 of Object.keys(data125)){
if(!(func0.call(schema31.properties.run.properties.unsettled.items.properties, key18))){
const err276 = {instancePath:instancePath+"/run/unsettled/" + i11,schemaPath:"#/properties/run/properties/unsettled/items/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key18},message:"must NOT have additional properties"};
if(vErrors === null){
vErrors = [err276];
}
else {
vErrors.push(err276);
}
errors++;
}
}
if(data125.id !== undefined && func0.call(data125, "id")){
if(typeof data125.id !== "string"){
const err277 = {instancePath:instancePath+"/run/unsettled/" + i11+"/id",schemaPath:"#/properties/run/properties/unsettled/items/properties/id/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err277];
}
else {
vErrors.push(err277);
}
errors++;
}
}
if(data125.tool !== undefined && func0.call(data125, "tool")){
if(typeof data125.tool !== "string"){
const err278 = {instancePath:instancePath+"/run/unsettled/" + i11+"/tool",schemaPath:"#/properties/run/properties/unsettled/items/properties/tool/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err278];
}
else {
vErrors.push(err278);
}
errors++;
}
}
if(data125.args !== undefined && func0.call(data125, "args")){
let data128 = data125.args;
if(!(data128 && typeof data128 == "object" && !Array.isArray(data128))){
const err279 = {instancePath:instancePath+"/run/unsettled/" + i11+"/args",schemaPath:"#/properties/run/properties/unsettled/items/properties/args/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err279];
}
else {
vErrors.push(err279);
}
errors++;
}
}
if(data125.key !== undefined && func0.call(data125, "key")){
if(typeof data125.key !== "string"){
const err280 = {instancePath:instancePath+"/run/unsettled/" + i11+"/key",schemaPath:"#/properties/run/properties/unsettled/items/properties/key/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err280];
}
else {
vErrors.push(err280);
}
errors++;
}
}
if(data125.effect !== undefined && func0.call(data125, "effect")){
let data130 = data125.effect;
if(typeof data130 !== "string"){
const err281 = {instancePath:instancePath+"/run/unsettled/" + i11+"/effect",schemaPath:"#/properties/run/properties/unsettled/items/properties/effect/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err281];
}
else {
vErrors.push(err281);
}
errors++;
}
if(!(((data130 === "none") || (data130 === "idempotent")) || (data130 === "once"))){
const err282 = {instancePath:instancePath+"/run/unsettled/" + i11+"/effect",schemaPath:"#/properties/run/properties/unsettled/items/properties/effect/enum",keyword:"enum",params:{allowedValues: schema31.properties.run.properties.unsettled.items.properties.effect.enum},message:"must be equal to one of the allowed values"};
if(vErrors === null){
vErrors = [err282];
}
else {
vErrors.push(err282);
}
errors++;
}
}
if(data125.status !== undefined && func0.call(data125, "status")){
let data131 = data125.status;
if(typeof data131 !== "string"){
const err283 = {instancePath:instancePath+"/run/unsettled/" + i11+"/status",schemaPath:"#/properties/run/properties/unsettled/items/properties/status/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err283];
}
else {
vErrors.push(err283);
}
errors++;
}
if(!(((((((data131 === "queued") || (data131 === "judging")) || (data131 === "asking")) || (data131 === "held")) || (data131 === "sent")) || (data131 === "unknown")) || (data131 === "done"))){
const err284 = {instancePath:instancePath+"/run/unsettled/" + i11+"/status",schemaPath:"#/properties/run/properties/unsettled/items/properties/status/enum",keyword:"enum",params:{allowedValues: schema31.properties.run.properties.unsettled.items.properties.status.enum},message:"must be equal to one of the allowed values"};
if(vErrors === null){
vErrors = [err284];
}
else {
vErrors.push(err284);
}
errors++;
}
}
if(data125.unasked !== undefined && func0.call(data125, "unasked")){
if(typeof data125.unasked !== "boolean"){
const err285 = {instancePath:instancePath+"/run/unsettled/" + i11+"/unasked",schemaPath:"#/properties/run/properties/unsettled/items/properties/unasked/type",keyword:"type",params:{type: "boolean"},message:"must be boolean"};
if(vErrors === null){
vErrors = [err285];
}
else {
vErrors.push(err285);
}
errors++;
}
}
if(data125.error !== undefined && func0.call(data125, "error")){
if(typeof data125.error !== "boolean"){
const err286 = {instancePath:instancePath+"/run/unsettled/" + i11+"/error",schemaPath:"#/properties/run/properties/unsettled/items/properties/error/type",keyword:"type",params:{type: "boolean"},message:"must be boolean"};
if(vErrors === null){
vErrors = [err286];
}
else {
vErrors.push(err286);
}
errors++;
}
}
if(data125.asked_at !== undefined && func0.call(data125, "asked_at")){
let data134 = data125.asked_at;
if((typeof data134 == "number") && (isFinite(data134))){
if(data134 < 0 || isNaN(data134)){
const err287 = {instancePath:instancePath+"/run/unsettled/" + i11+"/asked_at",schemaPath:"#/properties/run/properties/unsettled/items/properties/asked_at/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"};
if(vErrors === null){
vErrors = [err287];
}
else {
vErrors.push(err287);
}
errors++;
}
}
else {
const err288 = {instancePath:instancePath+"/run/unsettled/" + i11+"/asked_at",schemaPath:"#/properties/run/properties/unsettled/items/properties/asked_at/type",keyword:"type",params:{type: "number"},message:"must be number"};
if(vErrors === null){
vErrors = [err288];
}
else {
vErrors.push(err288);
}
errors++;
}
}
if(data125.unsettled !== undefined && func0.call(data125, "unsettled")){
if(typeof data125.unsettled !== "boolean"){
const err289 = {instancePath:instancePath+"/run/unsettled/" + i11+"/unsettled",schemaPath:"#/properties/run/properties/unsettled/items/properties/unsettled/type",keyword:"type",params:{type: "boolean"},message:"must be boolean"};
if(vErrors === null){
vErrors = [err289];
}
else {
vErrors.push(err289);
}
errors++;
}
}
if(data125.by_origin !== undefined && func0.call(data125, "by_origin")){
if(typeof data125.by_origin !== "boolean"){
const err290 = {instancePath:instancePath+"/run/unsettled/" + i11+"/by_origin",schemaPath:"#/properties/run/properties/unsettled/items/properties/by_origin/type",keyword:"type",params:{type: "boolean"},message:"must be boolean"};
if(vErrors === null){
vErrors = [err290];
}
else {
vErrors.push(err290);
}
errors++;
}
}
if(data125.why !== undefined && func0.call(data125, "why")){
if(typeof data125.why !== "string"){
const err291 = {instancePath:instancePath+"/run/unsettled/" + i11+"/why",schemaPath:"#/properties/run/properties/unsettled/items/properties/why/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err291];
}
else {
vErrors.push(err291);
}
errors++;
}
}
if(data125.proposed !== undefined && func0.call(data125, "proposed")){
let data138 = data125.proposed;
if(!(data138 && typeof data138 == "object" && !Array.isArray(data138))){
const err292 = {instancePath:instancePath+"/run/unsettled/" + i11+"/proposed",schemaPath:"#/properties/run/properties/unsettled/items/properties/proposed/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err292];
}
else {
vErrors.push(err292);
}
errors++;
}
}
if(data125.agent !== undefined && func0.call(data125, "agent")){
let data139 = data125.agent;
if(data139 && typeof data139 == "object" && !Array.isArray(data139)){
if((data139.alias === undefined) || (!(func0.call(data139, "alias")))){
const err293 = {instancePath:instancePath+"/run/unsettled/" + i11+"/agent",schemaPath:"#/properties/run/properties/unsettled/items/properties/agent/required",keyword:"required",params:{missingProperty: "alias"},message:"must have required property '"+"alias"+"'"};
if(vErrors === null){
vErrors = [err293];
}
else {
vErrors.push(err293);
}
errors++;
}
if((data139.definition === undefined) || (!(func0.call(data139, "definition")))){
const err294 = {instancePath:instancePath+"/run/unsettled/" + i11+"/agent",schemaPath:"#/properties/run/properties/unsettled/items/properties/agent/required",keyword:"required",params:{missingProperty: "definition"},message:"must have required property '"+"definition"+"'"};
if(vErrors === null){
vErrors = [err294];
}
else {
vErrors.push(err294);
}
errors++;
}
if((data139.run_id === undefined) || (!(func0.call(data139, "run_id")))){
const err295 = {instancePath:instancePath+"/run/unsettled/" + i11+"/agent",schemaPath:"#/properties/run/properties/unsettled/items/properties/agent/required",keyword:"required",params:{missingProperty: "run_id"},message:"must have required property '"+"run_id"+"'"};
if(vErrors === null){
vErrors = [err295];
}
else {
vErrors.push(err295);
}
errors++;
}
if((data139.input === undefined) || (!(func0.call(data139, "input")))){
const err296 = {instancePath:instancePath+"/run/unsettled/" + i11+"/agent",schemaPath:"#/properties/run/properties/unsettled/items/properties/agent/required",keyword:"required",params:{missingProperty: "input"},message:"must have required property '"+"input"+"'"};
if(vErrors === null){
vErrors = [err296];
}
else {
vErrors.push(err296);
}
errors++;
}
if((data139.pass_context === undefined) || (!(func0.call(data139, "pass_context")))){
const err297 = {instancePath:instancePath+"/run/unsettled/" + i11+"/agent",schemaPath:"#/properties/run/properties/unsettled/items/properties/agent/required",keyword:"required",params:{missingProperty: "pass_context"},message:"must have required property '"+"pass_context"+"'"};
if(vErrors === null){
vErrors = [err297];
}
else {
vErrors.push(err297);
}
errors++;
}
if((data139.limits === undefined) || (!(func0.call(data139, "limits")))){
const err298 = {instancePath:instancePath+"/run/unsettled/" + i11+"/agent",schemaPath:"#/properties/run/properties/unsettled/items/properties/agent/required",keyword:"required",params:{missingProperty: "limits"},message:"must have required property '"+"limits"+"'"};
if(vErrors === null){
vErrors = [err298];
}
else {
vErrors.push(err298);
}
errors++;
}
for(const key19 of Object.keys(data139)){
if(!((((((((key19 === "alias") || (key19 === "definition")) || (key19 === "run_id")) || (key19 === "input")) || (key19 === "pass_context")) || (key19 === "memory")) || (key19 === "limits")) || (key19 === "instead_of"))){
const err299 = {instancePath:instancePath+"/run/unsettled/" + i11+"/agent",schemaPath:"#/properties/run/properties/unsettled/items/properties/agent/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key19},message:"must NOT have additional properties"};
if(vErrors === null){
vErrors = [err299];
}
else {
vErrors.push(err299);
}
errors++;
}
}
if(data139.alias !== undefined && func0.call(data139, "alias")){
if(typeof data139.alias !== "string"){
const err300 = {instancePath:instancePath+"/run/unsettled/" + i11+"/agent/alias",schemaPath:"#/properties/run/properties/unsettled/items/properties/agent/properties/alias/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err300];
}
else {
vErrors.push(err300);
}
errors++;
}
}
if(data139.definition !== undefined && func0.call(data139, "definition")){
if(typeof data139.definition !== "string"){
const err301 = {instancePath:instancePath+"/run/unsettled/" + i11+"/agent/definition",schemaPath:"#/properties/run/properties/unsettled/items/properties/agent/properties/definition/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err301];
}
else {
vErrors.push(err301);
}
errors++;
}
}
if(data139.run_id !== undefined && func0.call(data139, "run_id")){
if(typeof data139.run_id !== "string"){
const err302 = {instancePath:instancePath+"/run/unsettled/" + i11+"/agent/run_id",schemaPath:"#/properties/run/properties/unsettled/items/properties/agent/properties/run_id/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err302];
}
else {
vErrors.push(err302);
}
errors++;
}
}
if(data139.pass_context !== undefined && func0.call(data139, "pass_context")){
if(typeof data139.pass_context !== "boolean"){
const err303 = {instancePath:instancePath+"/run/unsettled/" + i11+"/agent/pass_context",schemaPath:"#/properties/run/properties/unsettled/items/properties/agent/properties/pass_context/type",keyword:"type",params:{type: "boolean"},message:"must be boolean"};
if(vErrors === null){
vErrors = [err303];
}
else {
vErrors.push(err303);
}
errors++;
}
}
if(data139.memory !== undefined && func0.call(data139, "memory")){
let data144 = data139.memory;
if(!(data144 && typeof data144 == "object" && !Array.isArray(data144))){
const err304 = {instancePath:instancePath+"/run/unsettled/" + i11+"/agent/memory",schemaPath:"#/properties/run/properties/unsettled/items/properties/agent/properties/memory/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err304];
}
else {
vErrors.push(err304);
}
errors++;
}
}
if(data139.limits !== undefined && func0.call(data139, "limits")){
let data145 = data139.limits;
if(data145 && typeof data145 == "object" && !Array.isArray(data145)){
for(const key20 of Object.keys(data145)){
if(!(((((key20 === "tokens") || (key20 === "usd")) || (key20 === "calls")) || (key20 === "deadline_at")) || (key20 === "deadline_of"))){
const err305 = {instancePath:instancePath+"/run/unsettled/" + i11+"/agent/limits",schemaPath:"#/properties/run/properties/unsettled/items/properties/agent/properties/limits/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key20},message:"must NOT have additional properties"};
if(vErrors === null){
vErrors = [err305];
}
else {
vErrors.push(err305);
}
errors++;
}
}
if(data145.tokens !== undefined && func0.call(data145, "tokens")){
let data146 = data145.tokens;
if((typeof data146 == "number") && (isFinite(data146))){
if(data146 < 0 || isNaN(data146)){
const err306 = {instancePath:instancePath+"/run/unsettled/" + i11+"/agent/limits/tokens",schemaPath:"#/properties/run/properties/unsettled/items/properties/agent/properties/limits/properties/tokens/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"};
if(vErrors === null){
vErrors = [err306];
}
else {
vErrors.push(err306);
}
errors++;
}
}
else {
const err307 = {instancePath:instancePath+"/run/unsettled/" + i11+"/agent/limits/tokens",schemaPath:"#/properties/run/properties/unsettled/items/properties/agent/properties/limits/properties/tokens/type",keyword:"type",params:{type: "number"},message:"must be number"};
if(vErrors === null){
vErrors = [err307];
}
else {
vErrors.push(err307);
}
errors++;
}
}
if(data145.usd !== undefined && func0.call(data145, "usd")){
let data147 = data145.usd;
if((typeof data147 == "number") && (isFinite(data147))){
if(data147 < 0 || isNaN(data147)){
const err308 = {instancePath:instancePath+"/run/unsettled/" + i11+"/agent/limits/usd",schemaPath:"#/properties/run/properties/unsettled/items/properties/agent/properties/limits/properties/usd/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"};
if(vErrors === null){
vErrors = [err308];
}
else {
vErrors.push(err308);
}
errors++;
}
}
else {
const err309 = {instancePath:instancePath+"/run/unsettled/" + i11+"/agent/limits/usd",schemaPath:"#/properties/run/properties/unsettled/items/properties/agent/properties/limits/properties/usd/type",keyword:"type",params:{type: "number"},message:"must be number"};
if(vErrors === null){
vErrors = [err309];
}
else {
vErrors.push(err309);
}
errors++;
}
}
if(data145.calls !== undefined && func0.call(data145, "calls")){
let data148 = data145.calls;
if((typeof data148 == "number") && (isFinite(data148))){
if(data148 < 0 || isNaN(data148)){
const err310 = {instancePath:instancePath+"/run/unsettled/" + i11+"/agent/limits/calls",schemaPath:"#/properties/run/properties/unsettled/items/properties/agent/properties/limits/properties/calls/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"};
if(vErrors === null){
vErrors = [err310];
}
else {
vErrors.push(err310);
}
errors++;
}
}
else {
const err311 = {instancePath:instancePath+"/run/unsettled/" + i11+"/agent/limits/calls",schemaPath:"#/properties/run/properties/unsettled/items/properties/agent/properties/limits/properties/calls/type",keyword:"type",params:{type: "number"},message:"must be number"};
if(vErrors === null){
vErrors = [err311];
}
else {
vErrors.push(err311);
}
errors++;
}
}
if(data145.deadline_at !== undefined && func0.call(data145, "deadline_at")){
let data149 = data145.deadline_at;
if((typeof data149 == "number") && (isFinite(data149))){
if(data149 < 0 || isNaN(data149)){
const err312 = {instancePath:instancePath+"/run/unsettled/" + i11+"/agent/limits/deadline_at",schemaPath:"#/properties/run/properties/unsettled/items/properties/agent/properties/limits/properties/deadline_at/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"};
if(vErrors === null){
vErrors = [err312];
}
else {
vErrors.push(err312);
}
errors++;
}
}
else {
const err313 = {instancePath:instancePath+"/run/unsettled/" + i11+"/agent/limits/deadline_at",schemaPath:"#/properties/run/properties/unsettled/items/properties/agent/properties/limits/properties/deadline_at/type",keyword:"type",params:{type: "number"},message:"must be number"};
if(vErrors === null){
vErrors = [err313];
}
else {
vErrors.push(err313);
}
errors++;
}
}
if(data145.deadline_of !== undefined && func0.call(data145, "deadline_of")){
let data150 = data145.deadline_of;
if(typeof data150 !== "string"){
const err314 = {instancePath:instancePath+"/run/unsettled/" + i11+"/agent/limits/deadline_of",schemaPath:"#/properties/run/properties/unsettled/items/properties/agent/properties/limits/properties/deadline_of/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err314];
}
else {
vErrors.push(err314);
}
errors++;
}
if(!((data150 === "runtime") || (data150 === "budget"))){
const err315 = {instancePath:instancePath+"/run/unsettled/" + i11+"/agent/limits/deadline_of",schemaPath:"#/properties/run/properties/unsettled/items/properties/agent/properties/limits/properties/deadline_of/enum",keyword:"enum",params:{allowedValues: schema31.properties.run.properties.unsettled.items.properties.agent.properties.limits.properties.deadline_of.enum},message:"must be equal to one of the allowed values"};
if(vErrors === null){
vErrors = [err315];
}
else {
vErrors.push(err315);
}
errors++;
}
}
}
else {
const err316 = {instancePath:instancePath+"/run/unsettled/" + i11+"/agent/limits",schemaPath:"#/properties/run/properties/unsettled/items/properties/agent/properties/limits/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err316];
}
else {
vErrors.push(err316);
}
errors++;
}
}
if(data139.instead_of !== undefined && func0.call(data139, "instead_of")){
if(typeof data139.instead_of !== "string"){
const err317 = {instancePath:instancePath+"/run/unsettled/" + i11+"/agent/instead_of",schemaPath:"#/properties/run/properties/unsettled/items/properties/agent/properties/instead_of/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err317];
}
else {
vErrors.push(err317);
}
errors++;
}
}
}
else {
const err318 = {instancePath:instancePath+"/run/unsettled/" + i11+"/agent",schemaPath:"#/properties/run/properties/unsettled/items/properties/agent/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err318];
}
else {
vErrors.push(err318);
}
errors++;
}
}
}
else {
const err319 = {instancePath:instancePath+"/run/unsettled/" + i11,schemaPath:"#/properties/run/properties/unsettled/items/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err319];
}
else {
vErrors.push(err319);
}
errors++;
}
}
}
else {
const err320 = {instancePath:instancePath+"/run/unsettled",schemaPath:"#/properties/run/properties/unsettled/type",keyword:"type",params:{type: "array"},message:"must be array"};
if(vErrors === null){
vErrors = [err320];
}
else {
vErrors.push(err320);
}
errors++;
}
}
if(data35.counted !== undefined && func0.call(data35, "counted")){
let data152 = data35.counted;
const _errs334 = errors;
let valid47 = false;
const _errs335 = errors;
if(data152 && typeof data152 == "object" && !Array.isArray(data152)){
if((data152.tokens === undefined) || (!(func0.call(data152, "tokens")))){
const err321 = {instancePath:instancePath+"/run/counted",schemaPath:"#/properties/run/properties/counted/anyOf/0/required",keyword:"required",params:{missingProperty: "tokens"},message:"must have required property '"+"tokens"+"'"};
if(vErrors === null){
vErrors = [err321];
}
else {
vErrors.push(err321);
}
errors++;
}
if((data152.messages === undefined) || (!(func0.call(data152, "messages")))){
const err322 = {instancePath:instancePath+"/run/counted",schemaPath:"#/properties/run/properties/counted/anyOf/0/required",keyword:"required",params:{missingProperty: "messages"},message:"must have required property '"+"messages"+"'"};
if(vErrors === null){
vErrors = [err322];
}
else {
vErrors.push(err322);
}
errors++;
}
for(const key21 of Object.keys(data152)){
if(!((key21 === "tokens") || (key21 === "messages"))){
const err323 = {instancePath:instancePath+"/run/counted",schemaPath:"#/properties/run/properties/counted/anyOf/0/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key21},message:"must NOT have additional properties"};
if(vErrors === null){
vErrors = [err323];
}
else {
vErrors.push(err323);
}
errors++;
}
}
if(data152.tokens !== undefined && func0.call(data152, "tokens")){
let data153 = data152.tokens;
if(!(((typeof data153 == "number") && (!(data153 % 1) && !isNaN(data153))) && (isFinite(data153)))){
const err324 = {instancePath:instancePath+"/run/counted/tokens",schemaPath:"#/properties/run/properties/counted/anyOf/0/properties/tokens/type",keyword:"type",params:{type: "integer"},message:"must be integer"};
if(vErrors === null){
vErrors = [err324];
}
else {
vErrors.push(err324);
}
errors++;
}
if((typeof data153 == "number") && (isFinite(data153))){
if(data153 < 0 || isNaN(data153)){
const err325 = {instancePath:instancePath+"/run/counted/tokens",schemaPath:"#/properties/run/properties/counted/anyOf/0/properties/tokens/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"};
if(vErrors === null){
vErrors = [err325];
}
else {
vErrors.push(err325);
}
errors++;
}
}
}
if(data152.messages !== undefined && func0.call(data152, "messages")){
let data154 = data152.messages;
if(!(((typeof data154 == "number") && (!(data154 % 1) && !isNaN(data154))) && (isFinite(data154)))){
const err326 = {instancePath:instancePath+"/run/counted/messages",schemaPath:"#/properties/run/properties/counted/anyOf/0/properties/messages/type",keyword:"type",params:{type: "integer"},message:"must be integer"};
if(vErrors === null){
vErrors = [err326];
}
else {
vErrors.push(err326);
}
errors++;
}
if((typeof data154 == "number") && (isFinite(data154))){
if(data154 < 0 || isNaN(data154)){
const err327 = {instancePath:instancePath+"/run/counted/messages",schemaPath:"#/properties/run/properties/counted/anyOf/0/properties/messages/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"};
if(vErrors === null){
vErrors = [err327];
}
else {
vErrors.push(err327);
}
errors++;
}
}
}
}
else {
const err328 = {instancePath:instancePath+"/run/counted",schemaPath:"#/properties/run/properties/counted/anyOf/0/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err328];
}
else {
vErrors.push(err328);
}
errors++;
}
var _valid2 = _errs335 === errors;
valid47 = valid47 || _valid2;
const _errs342 = errors;
if(data152 !== null){
const err329 = {instancePath:instancePath+"/run/counted",schemaPath:"#/properties/run/properties/counted/anyOf/1/type",keyword:"type",params:{type: "null"},message:"must be null"};
if(vErrors === null){
vErrors = [err329];
}
else {
vErrors.push(err329);
}
errors++;
}
var _valid2 = _errs342 === errors;
valid47 = valid47 || _valid2;
if(!valid47){
const err330 = {instancePath:instancePath+"/run/counted",schemaPath:"#/properties/run/properties/counted/anyOf",keyword:"anyOf",params:{},message:"must match a schema in anyOf"};
if(vErrors === null){
vErrors = [err330];
}
else {
vErrors.push(err330);
}
errors++;
}
else {
errors = _errs334;
if(vErrors !== null){
if(_errs334){
vErrors.length = _errs334;
}
else {
vErrors = null;
}
}
}
}
if(data35.stage !== undefined && func0.call(data35, "stage")){
let data155 = data35.stage;
const _errs345 = errors;
let valid49 = false;
const _errs346 = errors;
if(data155 && typeof data155 == "object" && !Array.isArray(data155)){
if((data155.type === undefined) || (!(func0.call(data155, "type")))){
const err331 = {instancePath:instancePath+"/run/stage",schemaPath:"#/properties/run/properties/stage/anyOf/0/required",keyword:"required",params:{missingProperty: "type"},message:"must have required property '"+"type"+"'"};
if(vErrors === null){
vErrors = [err331];
}
else {
vErrors.push(err331);
}
errors++;
}
if(data155.type !== undefined && func0.call(data155, "type")){
let data156 = data155.type;
if(typeof data156 !== "string"){
const err332 = {instancePath:instancePath+"/run/stage/type",schemaPath:"#/properties/run/properties/stage/anyOf/0/properties/type/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err332];
}
else {
vErrors.push(err332);
}
errors++;
}
if(!((((data156 === "pipeline") || (data156 === "swarm")) || (data156 === "route")) || (data156 === "handoff"))){
const err333 = {instancePath:instancePath+"/run/stage/type",schemaPath:"#/properties/run/properties/stage/anyOf/0/properties/type/enum",keyword:"enum",params:{allowedValues: schema31.properties.run.properties.stage.anyOf[0].properties.type.enum},message:"must be equal to one of the allowed values"};
if(vErrors === null){
vErrors = [err333];
}
else {
vErrors.push(err333);
}
errors++;
}
}
if(data155.step !== undefined && func0.call(data155, "step")){
let data157 = data155.step;
if(!(((typeof data157 == "number") && (!(data157 % 1) && !isNaN(data157))) && (isFinite(data157)))){
const err334 = {instancePath:instancePath+"/run/stage/step",schemaPath:"#/properties/run/properties/stage/anyOf/0/properties/step/type",keyword:"type",params:{type: "integer"},message:"must be integer"};
if(vErrors === null){
vErrors = [err334];
}
else {
vErrors.push(err334);
}
errors++;
}
if((typeof data157 == "number") && (isFinite(data157))){
if(data157 < 0 || isNaN(data157)){
const err335 = {instancePath:instancePath+"/run/stage/step",schemaPath:"#/properties/run/properties/stage/anyOf/0/properties/step/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"};
if(vErrors === null){
vErrors = [err335];
}
else {
vErrors.push(err335);
}
errors++;
}
}
}
if(data155.phase !== undefined && func0.call(data155, "phase")){
let data158 = data155.phase;
if(typeof data158 !== "string"){
const err336 = {instancePath:instancePath+"/run/stage/phase",schemaPath:"#/properties/run/properties/stage/anyOf/0/properties/phase/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err336];
}
else {
vErrors.push(err336);
}
errors++;
}
if(!(((data158 === "work") || (data158 === "judge")) || (data158 === "merge"))){
const err337 = {instancePath:instancePath+"/run/stage/phase",schemaPath:"#/properties/run/properties/stage/anyOf/0/properties/phase/enum",keyword:"enum",params:{allowedValues: schema31.properties.run.properties.stage.anyOf[0].properties.phase.enum},message:"must be equal to one of the allowed values"};
if(vErrors === null){
vErrors = [err337];
}
else {
vErrors.push(err337);
}
errors++;
}
}
if(data155.rule !== undefined && func0.call(data155, "rule")){
let data159 = data155.rule;
if(!(((typeof data159 == "number") && (!(data159 % 1) && !isNaN(data159))) && (isFinite(data159)))){
const err338 = {instancePath:instancePath+"/run/stage/rule",schemaPath:"#/properties/run/properties/stage/anyOf/0/properties/rule/type",keyword:"type",params:{type: "integer"},message:"must be integer"};
if(vErrors === null){
vErrors = [err338];
}
else {
vErrors.push(err338);
}
errors++;
}
if((typeof data159 == "number") && (isFinite(data159))){
if(data159 < 0 || isNaN(data159)){
const err339 = {instancePath:instancePath+"/run/stage/rule",schemaPath:"#/properties/run/properties/stage/anyOf/0/properties/rule/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"};
if(vErrors === null){
vErrors = [err339];
}
else {
vErrors.push(err339);
}
errors++;
}
}
}
}
else {
const err340 = {instancePath:instancePath+"/run/stage",schemaPath:"#/properties/run/properties/stage/anyOf/0/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err340];
}
else {
vErrors.push(err340);
}
errors++;
}
var _valid3 = _errs346 === errors;
valid49 = valid49 || _valid3;
if(_valid3){
var props2 = {};
props2.type = true;
props2.step = true;
props2.phase = true;
props2.rule = true;
}
const _errs356 = errors;
if(data155 !== null){
const err341 = {instancePath:instancePath+"/run/stage",schemaPath:"#/properties/run/properties/stage/anyOf/1/type",keyword:"type",params:{type: "null"},message:"must be null"};
if(vErrors === null){
vErrors = [err341];
}
else {
vErrors.push(err341);
}
errors++;
}
var _valid3 = _errs356 === errors;
valid49 = valid49 || _valid3;
if(!valid49){
const err342 = {instancePath:instancePath+"/run/stage",schemaPath:"#/properties/run/properties/stage/anyOf",keyword:"anyOf",params:{},message:"must match a schema in anyOf"};
if(vErrors === null){
vErrors = [err342];
}
else {
vErrors.push(err342);
}
errors++;
}
else {
errors = _errs345;
if(vErrors !== null){
if(_errs345){
vErrors.length = _errs345;
}
else {
vErrors = null;
}
}
}
}
if(data35.choice !== undefined && func0.call(data35, "choice")){
let data160 = data35.choice;
if(Array.isArray(data160)){
const len12 = data160.length;
for(let i12=0; i12<len12; i12++){
let data161 = data160[i12];
if(data161 && typeof data161 == "object" && !Array.isArray(data161)){
if((data161.alias === undefined) || (!(func0.call(data161, "alias")))){
const err343 = {instancePath:instancePath+"/run/choice/" + i12,schemaPath:"#/properties/run/properties/choice/items/required",keyword:"required",params:{missingProperty: "alias"},message:"must have required property '"+"alias"+"'"};
if(vErrors === null){
vErrors = [err343];
}
else {
vErrors.push(err343);
}
errors++;
}
if((data161.result === undefined) || (!(func0.call(data161, "result")))){
const err344 = {instancePath:instancePath+"/run/choice/" + i12,schemaPath:"#/properties/run/properties/choice/items/required",keyword:"required",params:{missingProperty: "result"},message:"must have required property '"+"result"+"'"};
if(vErrors === null){
vErrors = [err344];
}
else {
vErrors.push(err344);
}
errors++;
}
for(const key22 of Object.keys(data161)){
if(!((key22 === "alias") || (key22 === "result"))){
const err345 = {instancePath:instancePath+"/run/choice/" + i12,schemaPath:"#/properties/run/properties/choice/items/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key22},message:"must NOT have additional properties"};
if(vErrors === null){
vErrors = [err345];
}
else {
vErrors.push(err345);
}
errors++;
}
}
if(data161.alias !== undefined && func0.call(data161, "alias")){
if(typeof data161.alias !== "string"){
const err346 = {instancePath:instancePath+"/run/choice/" + i12+"/alias",schemaPath:"#/properties/run/properties/choice/items/properties/alias/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err346];
}
else {
vErrors.push(err346);
}
errors++;
}
}
}
else {
const err347 = {instancePath:instancePath+"/run/choice/" + i12,schemaPath:"#/properties/run/properties/choice/items/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err347];
}
else {
vErrors.push(err347);
}
errors++;
}
}
}
else {
const err348 = {instancePath:instancePath+"/run/choice",schemaPath:"#/properties/run/properties/choice/type",keyword:"type",params:{type: "array"},message:"must be array"};
if(vErrors === null){
vErrors = [err348];
}
else {
vErrors.push(err348);
}
errors++;
}
}
if(data35.recalling !== undefined && func0.call(data35, "recalling")){
if(typeof data35.recalling !== "boolean"){
const err349 = {instancePath:instancePath+"/run/recalling",schemaPath:"#/properties/run/properties/recalling/type",keyword:"type",params:{type: "boolean"},message:"must be boolean"};
if(vErrors === null){
vErrors = [err349];
}
else {
vErrors.push(err349);
}
errors++;
}
}
if(data35.started_at !== undefined && func0.call(data35, "started_at")){
let data164 = data35.started_at;
if((typeof data164 == "number") && (isFinite(data164))){
if(data164 < 0 || isNaN(data164)){
const err350 = {instancePath:instancePath+"/run/started_at",schemaPath:"#/properties/run/properties/started_at/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"};
if(vErrors === null){
vErrors = [err350];
}
else {
vErrors.push(err350);
}
errors++;
}
}
else {
const err351 = {instancePath:instancePath+"/run/started_at",schemaPath:"#/properties/run/properties/started_at/type",keyword:"type",params:{type: "number"},message:"must be number"};
if(vErrors === null){
vErrors = [err351];
}
else {
vErrors.push(err351);
}
errors++;
}
}
if(data35.background !== undefined && func0.call(data35, "background")){
let data165 = data35.background;
if(!(data165 && typeof data165 == "object" && !Array.isArray(data165))){
const err352 = {instancePath:instancePath+"/run/background",schemaPath:"#/properties/run/properties/background/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err352];
}
else {
vErrors.push(err352);
}
errors++;
}
}
if(data35.limits !== undefined && func0.call(data35, "limits")){
let data166 = data35.limits;
if(data166 && typeof data166 == "object" && !Array.isArray(data166)){
for(const key23 of Object.keys(data166)){
if(!(((((key23 === "tokens") || (key23 === "usd")) || (key23 === "calls")) || (key23 === "deadline_at")) || (key23 === "deadline_of"))){
const err353 = {instancePath:instancePath+"/run/limits",schemaPath:"#/properties/run/properties/limits/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key23},message:"must NOT have additional properties"};
if(vErrors === null){
vErrors = [err353];
}
else {
vErrors.push(err353);
}
errors++;
}
}
if(data166.tokens !== undefined && func0.call(data166, "tokens")){
let data167 = data166.tokens;
if((typeof data167 == "number") && (isFinite(data167))){
if(data167 < 0 || isNaN(data167)){
const err354 = {instancePath:instancePath+"/run/limits/tokens",schemaPath:"#/properties/run/properties/limits/properties/tokens/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"};
if(vErrors === null){
vErrors = [err354];
}
else {
vErrors.push(err354);
}
errors++;
}
}
else {
const err355 = {instancePath:instancePath+"/run/limits/tokens",schemaPath:"#/properties/run/properties/limits/properties/tokens/type",keyword:"type",params:{type: "number"},message:"must be number"};
if(vErrors === null){
vErrors = [err355];
}
else {
vErrors.push(err355);
}
errors++;
}
}
if(data166.usd !== undefined && func0.call(data166, "usd")){
let data168 = data166.usd;
if((typeof data168 == "number") && (isFinite(data168))){
if(data168 < 0 || isNaN(data168)){
const err356 = {instancePath:instancePath+"/run/limits/usd",schemaPath:"#/properties/run/properties/limits/properties/usd/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"};
if(vErrors === null){
vErrors = [err356];
}
else {
vErrors.push(err356);
}
errors++;
}
}
else {
const err357 = {instancePath:instancePath+"/run/limits/usd",schemaPath:"#/properties/run/properties/limits/properties/usd/type",keyword:"type",params:{type: "number"},message:"must be number"};
if(vErrors === null){
vErrors = [err357];
}
else {
vErrors.push(err357);
}
errors++;
}
}
if(data166.calls !== undefined && func0.call(data166, "calls")){
let data169 = data166.calls;
if((typeof data169 == "number") && (isFinite(data169))){
if(data169 < 0 || isNaN(data169)){
const err358 = {instancePath:instancePath+"/run/limits/calls",schemaPath:"#/properties/run/properties/limits/properties/calls/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"};
if(vErrors === null){
vErrors = [err358];
}
else {
vErrors.push(err358);
}
errors++;
}
}
else {
const err359 = {instancePath:instancePath+"/run/limits/calls",schemaPath:"#/properties/run/properties/limits/properties/calls/type",keyword:"type",params:{type: "number"},message:"must be number"};
if(vErrors === null){
vErrors = [err359];
}
else {
vErrors.push(err359);
}
errors++;
}
}
if(data166.deadline_at !== undefined && func0.call(data166, "deadline_at")){
let data170 = data166.deadline_at;
if((typeof data170 == "number") && (isFinite(data170))){
if(data170 < 0 || isNaN(data170)){
const err360 = {instancePath:instancePath+"/run/limits/deadline_at",schemaPath:"#/properties/run/properties/limits/properties/deadline_at/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"};
if(vErrors === null){
vErrors = [err360];
}
else {
vErrors.push(err360);
}
errors++;
}
}
else {
const err361 = {instancePath:instancePath+"/run/limits/deadline_at",schemaPath:"#/properties/run/properties/limits/properties/deadline_at/type",keyword:"type",params:{type: "number"},message:"must be number"};
if(vErrors === null){
vErrors = [err361];
}
else {
vErrors.push(err361);
}
errors++;
}
}
if(data166.deadline_of !== undefined && func0.call(data166, "deadline_of")){
let data171 = data166.deadline_of;
if(typeof data171 !== "string"){
const err362 = {instancePath:instancePath+"/run/limits/deadline_of",schemaPath:"#/properties/run/properties/limits/properties/deadline_of/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err362];
}
else {
vErrors.push(err362);
}
errors++;
}
if(!((data171 === "runtime") || (data171 === "budget"))){
const err363 = {instancePath:instancePath+"/run/limits/deadline_of",schemaPath:"#/properties/run/properties/limits/properties/deadline_of/enum",keyword:"enum",params:{allowedValues: schema31.properties.run.properties.limits.properties.deadline_of.enum},message:"must be equal to one of the allowed values"};
if(vErrors === null){
vErrors = [err363];
}
else {
vErrors.push(err363);
}
errors++;
}
}
}
else {
const err364 = {instancePath:instancePath+"/run/limits",schemaPath:"#/properties/run/properties/limits/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err364];
}
else {
vErrors.push(err364);
}
errors++;
}
}
if(data35.trace_parent !== undefined && func0.call(data35, "trace_parent")){
let data172 = data35.trace_parent;
const _errs385 = errors;
let valid55 = false;
const _errs386 = errors;
if(typeof data172 !== "string"){
const err365 = {instancePath:instancePath+"/run/trace_parent",schemaPath:"#/properties/run/properties/trace_parent/anyOf/0/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err365];
}
else {
vErrors.push(err365);
}
errors++;
}
var _valid4 = _errs386 === errors;
valid55 = valid55 || _valid4;
const _errs388 = errors;
if(data172 !== null){
const err366 = {instancePath:instancePath+"/run/trace_parent",schemaPath:"#/properties/run/properties/trace_parent/anyOf/1/type",keyword:"type",params:{type: "null"},message:"must be null"};
if(vErrors === null){
vErrors = [err366];
}
else {
vErrors.push(err366);
}
errors++;
}
var _valid4 = _errs388 === errors;
valid55 = valid55 || _valid4;
if(!valid55){
const err367 = {instancePath:instancePath+"/run/trace_parent",schemaPath:"#/properties/run/properties/trace_parent/anyOf",keyword:"anyOf",params:{},message:"must match a schema in anyOf"};
if(vErrors === null){
vErrors = [err367];
}
else {
vErrors.push(err367);
}
errors++;
}
else {
errors = _errs385;
if(vErrors !== null){
if(_errs385){
vErrors.length = _errs385;
}
else {
vErrors = null;
}
}
}
}
if(data35.trace_state !== undefined && func0.call(data35, "trace_state")){
let data173 = data35.trace_state;
const _errs391 = errors;
let valid56 = false;
const _errs392 = errors;
if(typeof data173 !== "string"){
const err368 = {instancePath:instancePath+"/run/trace_state",schemaPath:"#/properties/run/properties/trace_state/anyOf/0/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err368];
}
else {
vErrors.push(err368);
}
errors++;
}
var _valid5 = _errs392 === errors;
valid56 = valid56 || _valid5;
const _errs394 = errors;
if(data173 !== null){
const err369 = {instancePath:instancePath+"/run/trace_state",schemaPath:"#/properties/run/properties/trace_state/anyOf/1/type",keyword:"type",params:{type: "null"},message:"must be null"};
if(vErrors === null){
vErrors = [err369];
}
else {
vErrors.push(err369);
}
errors++;
}
var _valid5 = _errs394 === errors;
valid56 = valid56 || _valid5;
if(!valid56){
const err370 = {instancePath:instancePath+"/run/trace_state",schemaPath:"#/properties/run/properties/trace_state/anyOf",keyword:"anyOf",params:{},message:"must match a schema in anyOf"};
if(vErrors === null){
vErrors = [err370];
}
else {
vErrors.push(err370);
}
errors++;
}
else {
errors = _errs391;
if(vErrors !== null){
if(_errs391){
vErrors.length = _errs391;
}
else {
vErrors = null;
}
}
}
}
if(data35.depth !== undefined && func0.call(data35, "depth")){
let data174 = data35.depth;
if(!(((typeof data174 == "number") && (!(data174 % 1) && !isNaN(data174))) && (isFinite(data174)))){
const err371 = {instancePath:instancePath+"/run/depth",schemaPath:"#/properties/run/properties/depth/type",keyword:"type",params:{type: "integer"},message:"must be integer"};
if(vErrors === null){
vErrors = [err371];
}
else {
vErrors.push(err371);
}
errors++;
}
if((typeof data174 == "number") && (isFinite(data174))){
if(data174 < 0 || isNaN(data174)){
const err372 = {instancePath:instancePath+"/run/depth",schemaPath:"#/properties/run/properties/depth/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"};
if(vErrors === null){
vErrors = [err372];
}
else {
vErrors.push(err372);
}
errors++;
}
}
}
if(data35.named !== undefined && func0.call(data35, "named")){
let data175 = data35.named;
if(Array.isArray(data175)){
const len13 = data175.length;
for(let i13=0; i13<len13; i13++){
if(typeof data175[i13] !== "string"){
const err373 = {instancePath:instancePath+"/run/named/" + i13,schemaPath:"#/properties/run/properties/named/items/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err373];
}
else {
vErrors.push(err373);
}
errors++;
}
}
}
else {
const err374 = {instancePath:instancePath+"/run/named",schemaPath:"#/properties/run/properties/named/type",keyword:"type",params:{type: "array"},message:"must be array"};
if(vErrors === null){
vErrors = [err374];
}
else {
vErrors.push(err374);
}
errors++;
}
}
if(data35.triggered !== undefined && func0.call(data35, "triggered")){
if(typeof data35.triggered !== "boolean"){
const err375 = {instancePath:instancePath+"/run/triggered",schemaPath:"#/properties/run/properties/triggered/type",keyword:"type",params:{type: "boolean"},message:"must be boolean"};
if(vErrors === null){
vErrors = [err375];
}
else {
vErrors.push(err375);
}
errors++;
}
}
if(data35.withheld !== undefined && func0.call(data35, "withheld")){
if(typeof data35.withheld !== "boolean"){
const err376 = {instancePath:instancePath+"/run/withheld",schemaPath:"#/properties/run/properties/withheld/type",keyword:"type",params:{type: "boolean"},message:"must be boolean"};
if(vErrors === null){
vErrors = [err376];
}
else {
vErrors.push(err376);
}
errors++;
}
}
if(data35.handed_off !== undefined && func0.call(data35, "handed_off")){
let data179 = data35.handed_off;
if(Array.isArray(data179)){
const len14 = data179.length;
for(let i14=0; i14<len14; i14++){
let data180 = data179[i14];
if(!(((typeof data180 == "number") && (!(data180 % 1) && !isNaN(data180))) && (isFinite(data180)))){
const err377 = {instancePath:instancePath+"/run/handed_off/" + i14,schemaPath:"#/properties/run/properties/handed_off/items/type",keyword:"type",params:{type: "integer"},message:"must be integer"};
if(vErrors === null){
vErrors = [err377];
}
else {
vErrors.push(err377);
}
errors++;
}
if((typeof data180 == "number") && (isFinite(data180))){
if(data180 < 0 || isNaN(data180)){
const err378 = {instancePath:instancePath+"/run/handed_off/" + i14,schemaPath:"#/properties/run/properties/handed_off/items/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"};
if(vErrors === null){
vErrors = [err378];
}
else {
vErrors.push(err378);
}
errors++;
}
}
}
}
else {
const err379 = {instancePath:instancePath+"/run/handed_off",schemaPath:"#/properties/run/properties/handed_off/type",keyword:"type",params:{type: "array"},message:"must be array"};
if(vErrors === null){
vErrors = [err379];
}
else {
vErrors.push(err379);
}
errors++;
}
}
if(data35.review !== undefined && func0.call(data35, "review")){
let data181 = data35.review;
const _errs411 = errors;
let valid61 = false;
const _errs412 = errors;
if(data181 && typeof data181 == "object" && !Array.isArray(data181)){
if((data181.n === undefined) || (!(func0.call(data181, "n")))){
const err380 = {instancePath:instancePath+"/run/review",schemaPath:"#/properties/run/properties/review/anyOf/0/required",keyword:"required",params:{missingProperty: "n"},message:"must have required property '"+"n"+"'"};
if(vErrors === null){
vErrors = [err380];
}
else {
vErrors.push(err380);
}
errors++;
}
if((data181.subject === undefined) || (!(func0.call(data181, "subject")))){
const err381 = {instancePath:instancePath+"/run/review",schemaPath:"#/properties/run/properties/review/anyOf/0/required",keyword:"required",params:{missingProperty: "subject"},message:"must have required property '"+"subject"+"'"};
if(vErrors === null){
vErrors = [err381];
}
else {
vErrors.push(err381);
}
errors++;
}
if(data181.n !== undefined && func0.call(data181, "n")){
let data182 = data181.n;
if(!(((typeof data182 == "number") && (!(data182 % 1) && !isNaN(data182))) && (isFinite(data182)))){
const err382 = {instancePath:instancePath+"/run/review/n",schemaPath:"#/properties/run/properties/review/anyOf/0/properties/n/type",keyword:"type",params:{type: "integer"},message:"must be integer"};
if(vErrors === null){
vErrors = [err382];
}
else {
vErrors.push(err382);
}
errors++;
}
if((typeof data182 == "number") && (isFinite(data182))){
if(data182 < 0 || isNaN(data182)){
const err383 = {instancePath:instancePath+"/run/review/n",schemaPath:"#/properties/run/properties/review/anyOf/0/properties/n/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"};
if(vErrors === null){
vErrors = [err383];
}
else {
vErrors.push(err383);
}
errors++;
}
}
}
if(data181.subject !== undefined && func0.call(data181, "subject")){
let data183 = data181.subject;
if(typeof data183 !== "string"){
const err384 = {instancePath:instancePath+"/run/review/subject",schemaPath:"#/properties/run/properties/review/anyOf/0/properties/subject/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err384];
}
else {
vErrors.push(err384);
}
errors++;
}
if(!((data183 === "answer") || (data183 === "calls"))){
const err385 = {instancePath:instancePath+"/run/review/subject",schemaPath:"#/properties/run/properties/review/anyOf/0/properties/subject/enum",keyword:"enum",params:{allowedValues: schema31.properties.run.properties.review.anyOf[0].properties.subject.enum},message:"must be equal to one of the allowed values"};
if(vErrors === null){
vErrors = [err385];
}
else {
vErrors.push(err385);
}
errors++;
}
}
if(data181.text !== undefined && func0.call(data181, "text")){
if(typeof data181.text !== "string"){
const err386 = {instancePath:instancePath+"/run/review/text",schemaPath:"#/properties/run/properties/review/anyOf/0/properties/text/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err386];
}
else {
vErrors.push(err386);
}
errors++;
}
}
}
else {
const err387 = {instancePath:instancePath+"/run/review",schemaPath:"#/properties/run/properties/review/anyOf/0/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err387];
}
else {
vErrors.push(err387);
}
errors++;
}
var _valid6 = _errs412 === errors;
valid61 = valid61 || _valid6;
if(_valid6){
var props3 = {};
props3.n = true;
props3.subject = true;
props3.text = true;
}
const _errs420 = errors;
if(data181 !== null){
const err388 = {instancePath:instancePath+"/run/review",schemaPath:"#/properties/run/properties/review/anyOf/1/type",keyword:"type",params:{type: "null"},message:"must be null"};
if(vErrors === null){
vErrors = [err388];
}
else {
vErrors.push(err388);
}
errors++;
}
var _valid6 = _errs420 === errors;
valid61 = valid61 || _valid6;
if(!valid61){
const err389 = {instancePath:instancePath+"/run/review",schemaPath:"#/properties/run/properties/review/anyOf",keyword:"anyOf",params:{},message:"must match a schema in anyOf"};
if(vErrors === null){
vErrors = [err389];
}
else {
vErrors.push(err389);
}
errors++;
}
else {
errors = _errs411;
if(vErrors !== null){
if(_errs411){
vErrors.length = _errs411;
}
else {
vErrors = null;
}
}
}
}
if(data35.reviews !== undefined && func0.call(data35, "reviews")){
let data185 = data35.reviews;
if(!(((typeof data185 == "number") && (!(data185 % 1) && !isNaN(data185))) && (isFinite(data185)))){
const err390 = {instancePath:instancePath+"/run/reviews",schemaPath:"#/properties/run/properties/reviews/type",keyword:"type",params:{type: "integer"},message:"must be integer"};
if(vErrors === null){
vErrors = [err390];
}
else {
vErrors.push(err390);
}
errors++;
}
if((typeof data185 == "number") && (isFinite(data185))){
if(data185 < 0 || isNaN(data185)){
const err391 = {instancePath:instancePath+"/run/reviews",schemaPath:"#/properties/run/properties/reviews/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"};
if(vErrors === null){
vErrors = [err391];
}
else {
vErrors.push(err391);
}
errors++;
}
}
}
if(data35.start_hook_turn !== undefined && func0.call(data35, "start_hook_turn")){
let data186 = data35.start_hook_turn;
if(!(((typeof data186 == "number") && (!(data186 % 1) && !isNaN(data186))) && (isFinite(data186)))){
const err392 = {instancePath:instancePath+"/run/start_hook_turn",schemaPath:"#/properties/run/properties/start_hook_turn/type",keyword:"type",params:{type: "integer"},message:"must be integer"};
if(vErrors === null){
vErrors = [err392];
}
else {
vErrors.push(err392);
}
errors++;
}
if((typeof data186 == "number") && (isFinite(data186))){
if(data186 < 0 || isNaN(data186)){
const err393 = {instancePath:instancePath+"/run/start_hook_turn",schemaPath:"#/properties/run/properties/start_hook_turn/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"};
if(vErrors === null){
vErrors = [err393];
}
else {
vErrors.push(err393);
}
errors++;
}
}
}
if(data35.end_hook_turn !== undefined && func0.call(data35, "end_hook_turn")){
let data187 = data35.end_hook_turn;
if(!(((typeof data187 == "number") && (!(data187 % 1) && !isNaN(data187))) && (isFinite(data187)))){
const err394 = {instancePath:instancePath+"/run/end_hook_turn",schemaPath:"#/properties/run/properties/end_hook_turn/type",keyword:"type",params:{type: "integer"},message:"must be integer"};
if(vErrors === null){
vErrors = [err394];
}
else {
vErrors.push(err394);
}
errors++;
}
if((typeof data187 == "number") && (isFinite(data187))){
if(data187 < 0 || isNaN(data187)){
const err395 = {instancePath:instancePath+"/run/end_hook_turn",schemaPath:"#/properties/run/properties/end_hook_turn/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"};
if(vErrors === null){
vErrors = [err395];
}
else {
vErrors.push(err395);
}
errors++;
}
}
}
if(data35.tally !== undefined && func0.call(data35, "tally")){
let data188 = data35.tally;
if(data188 && typeof data188 == "object" && !Array.isArray(data188)){
for(const key24 of Object.keys(data188)){
let data189 = data188[key24];
if(data189 && typeof data189 == "object" && !Array.isArray(data189)){
if((data189.called === undefined) || (!(func0.call(data189, "called")))){
const err396 = {instancePath:instancePath+"/run/tally/" + key24.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/properties/run/properties/tally/additionalProperties/required",keyword:"required",params:{missingProperty: "called"},message:"must have required property '"+"called"+"'"};
if(vErrors === null){
vErrors = [err396];
}
else {
vErrors.push(err396);
}
errors++;
}
if((data189.succeeded === undefined) || (!(func0.call(data189, "succeeded")))){
const err397 = {instancePath:instancePath+"/run/tally/" + key24.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/properties/run/properties/tally/additionalProperties/required",keyword:"required",params:{missingProperty: "succeeded"},message:"must have required property '"+"succeeded"+"'"};
if(vErrors === null){
vErrors = [err397];
}
else {
vErrors.push(err397);
}
errors++;
}
for(const key25 of Object.keys(data189)){
if(!((key25 === "called") || (key25 === "succeeded"))){
const err398 = {instancePath:instancePath+"/run/tally/" + key24.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/properties/run/properties/tally/additionalProperties/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key25},message:"must NOT have additional properties"};
if(vErrors === null){
vErrors = [err398];
}
else {
vErrors.push(err398);
}
errors++;
}
}
if(data189.called !== undefined && func0.call(data189, "called")){
let data190 = data189.called;
if(!(((typeof data190 == "number") && (!(data190 % 1) && !isNaN(data190))) && (isFinite(data190)))){
const err399 = {instancePath:instancePath+"/run/tally/" + key24.replace(/~/g, "~0").replace(/\//g, "~1")+"/called",schemaPath:"#/properties/run/properties/tally/additionalProperties/properties/called/type",keyword:"type",params:{type: "integer"},message:"must be integer"};
if(vErrors === null){
vErrors = [err399];
}
else {
vErrors.push(err399);
}
errors++;
}
if((typeof data190 == "number") && (isFinite(data190))){
if(data190 < 0 || isNaN(data190)){
const err400 = {instancePath:instancePath+"/run/tally/" + key24.replace(/~/g, "~0").replace(/\//g, "~1")+"/called",schemaPath:"#/properties/run/properties/tally/additionalProperties/properties/called/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"};
if(vErrors === null){
vErrors = [err400];
}
else {
vErrors.push(err400);
}
errors++;
}
}
}
if(data189.succeeded !== undefined && func0.call(data189, "succeeded")){
let data191 = data189.succeeded;
if(!(((typeof data191 == "number") && (!(data191 % 1) && !isNaN(data191))) && (isFinite(data191)))){
const err401 = {instancePath:instancePath+"/run/tally/" + key24.replace(/~/g, "~0").replace(/\//g, "~1")+"/succeeded",schemaPath:"#/properties/run/properties/tally/additionalProperties/properties/succeeded/type",keyword:"type",params:{type: "integer"},message:"must be integer"};
if(vErrors === null){
vErrors = [err401];
}
else {
vErrors.push(err401);
}
errors++;
}
if((typeof data191 == "number") && (isFinite(data191))){
if(data191 < 0 || isNaN(data191)){
const err402 = {instancePath:instancePath+"/run/tally/" + key24.replace(/~/g, "~0").replace(/\//g, "~1")+"/succeeded",schemaPath:"#/properties/run/properties/tally/additionalProperties/properties/succeeded/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"};
if(vErrors === null){
vErrors = [err402];
}
else {
vErrors.push(err402);
}
errors++;
}
}
}
}
else {
const err403 = {instancePath:instancePath+"/run/tally/" + key24.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/properties/run/properties/tally/additionalProperties/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err403];
}
else {
vErrors.push(err403);
}
errors++;
}
}
}
else {
const err404 = {instancePath:instancePath+"/run/tally",schemaPath:"#/properties/run/properties/tally/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err404];
}
else {
vErrors.push(err404);
}
errors++;
}
}
if(data35.repairs !== undefined && func0.call(data35, "repairs")){
let data192 = data35.repairs;
if(!(((typeof data192 == "number") && (!(data192 % 1) && !isNaN(data192))) && (isFinite(data192)))){
const err405 = {instancePath:instancePath+"/run/repairs",schemaPath:"#/properties/run/properties/repairs/type",keyword:"type",params:{type: "integer"},message:"must be integer"};
if(vErrors === null){
vErrors = [err405];
}
else {
vErrors.push(err405);
}
errors++;
}
if((typeof data192 == "number") && (isFinite(data192))){
if(data192 < 0 || isNaN(data192)){
const err406 = {instancePath:instancePath+"/run/repairs",schemaPath:"#/properties/run/properties/repairs/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"};
if(vErrors === null){
vErrors = [err406];
}
else {
vErrors.push(err406);
}
errors++;
}
}
}
if(data35.down !== undefined && func0.call(data35, "down")){
let data193 = data35.down;
if(data193 && typeof data193 == "object" && !Array.isArray(data193)){
for(const key26 of Object.keys(data193)){
let data194 = data193[key26];
if((typeof data194 == "number") && (isFinite(data194))){
if(data194 < 0 || isNaN(data194)){
const err407 = {instancePath:instancePath+"/run/down/" + key26.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/properties/run/properties/down/additionalProperties/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"};
if(vErrors === null){
vErrors = [err407];
}
else {
vErrors.push(err407);
}
errors++;
}
}
else {
const err408 = {instancePath:instancePath+"/run/down/" + key26.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/properties/run/properties/down/additionalProperties/type",keyword:"type",params:{type: "number"},message:"must be number"};
if(vErrors === null){
vErrors = [err408];
}
else {
vErrors.push(err408);
}
errors++;
}
}
}
else {
const err409 = {instancePath:instancePath+"/run/down",schemaPath:"#/properties/run/properties/down/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err409];
}
else {
vErrors.push(err409);
}
errors++;
}
}
if(data35.answered_by !== undefined && func0.call(data35, "answered_by")){
let data195 = data35.answered_by;
const _errs446 = errors;
let valid66 = false;
const _errs447 = errors;
if(!(((typeof data195 == "number") && (!(data195 % 1) && !isNaN(data195))) && (isFinite(data195)))){
const err410 = {instancePath:instancePath+"/run/answered_by",schemaPath:"#/properties/run/properties/answered_by/anyOf/0/type",keyword:"type",params:{type: "integer"},message:"must be integer"};
if(vErrors === null){
vErrors = [err410];
}
else {
vErrors.push(err410);
}
errors++;
}
if((typeof data195 == "number") && (isFinite(data195))){
if(data195 < 0 || isNaN(data195)){
const err411 = {instancePath:instancePath+"/run/answered_by",schemaPath:"#/properties/run/properties/answered_by/anyOf/0/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"};
if(vErrors === null){
vErrors = [err411];
}
else {
vErrors.push(err411);
}
errors++;
}
}
var _valid7 = _errs447 === errors;
valid66 = valid66 || _valid7;
const _errs449 = errors;
if(data195 !== null){
const err412 = {instancePath:instancePath+"/run/answered_by",schemaPath:"#/properties/run/properties/answered_by/anyOf/1/type",keyword:"type",params:{type: "null"},message:"must be null"};
if(vErrors === null){
vErrors = [err412];
}
else {
vErrors.push(err412);
}
errors++;
}
var _valid7 = _errs449 === errors;
valid66 = valid66 || _valid7;
if(!valid66){
const err413 = {instancePath:instancePath+"/run/answered_by",schemaPath:"#/properties/run/properties/answered_by/anyOf",keyword:"anyOf",params:{},message:"must match a schema in anyOf"};
if(vErrors === null){
vErrors = [err413];
}
else {
vErrors.push(err413);
}
errors++;
}
else {
errors = _errs446;
if(vErrors !== null){
if(_errs446){
vErrors.length = _errs446;
}
else {
vErrors = null;
}
}
}
}
if(data35.totals !== undefined && func0.call(data35, "totals")){
let data196 = data35.totals;
if(data196 && typeof data196 == "object" && !Array.isArray(data196)){
if((data196.input_tokens === undefined) || (!(func0.call(data196, "input_tokens")))){
const err414 = {instancePath:instancePath+"/run/totals",schemaPath:"#/properties/run/properties/totals/required",keyword:"required",params:{missingProperty: "input_tokens"},message:"must have required property '"+"input_tokens"+"'"};
if(vErrors === null){
vErrors = [err414];
}
else {
vErrors.push(err414);
}
errors++;
}
if((data196.output_tokens === undefined) || (!(func0.call(data196, "output_tokens")))){
const err415 = {instancePath:instancePath+"/run/totals",schemaPath:"#/properties/run/properties/totals/required",keyword:"required",params:{missingProperty: "output_tokens"},message:"must have required property '"+"output_tokens"+"'"};
if(vErrors === null){
vErrors = [err415];
}
else {
vErrors.push(err415);
}
errors++;
}
if((data196.cost_usd === undefined) || (!(func0.call(data196, "cost_usd")))){
const err416 = {instancePath:instancePath+"/run/totals",schemaPath:"#/properties/run/properties/totals/required",keyword:"required",params:{missingProperty: "cost_usd"},message:"must have required property '"+"cost_usd"+"'"};
if(vErrors === null){
vErrors = [err416];
}
else {
vErrors.push(err416);
}
errors++;
}
if((data196.llm_calls === undefined) || (!(func0.call(data196, "llm_calls")))){
const err417 = {instancePath:instancePath+"/run/totals",schemaPath:"#/properties/run/properties/totals/required",keyword:"required",params:{missingProperty: "llm_calls"},message:"must have required property '"+"llm_calls"+"'"};
if(vErrors === null){
vErrors = [err417];
}
else {
vErrors.push(err417);
}
errors++;
}
if((data196.tool_calls === undefined) || (!(func0.call(data196, "tool_calls")))){
const err418 = {instancePath:instancePath+"/run/totals",schemaPath:"#/properties/run/properties/totals/required",keyword:"required",params:{missingProperty: "tool_calls"},message:"must have required property '"+"tool_calls"+"'"};
if(vErrors === null){
vErrors = [err418];
}
else {
vErrors.push(err418);
}
errors++;
}
if((data196.iterations === undefined) || (!(func0.call(data196, "iterations")))){
const err419 = {instancePath:instancePath+"/run/totals",schemaPath:"#/properties/run/properties/totals/required",keyword:"required",params:{missingProperty: "iterations"},message:"must have required property '"+"iterations"+"'"};
if(vErrors === null){
vErrors = [err419];
}
else {
vErrors.push(err419);
}
errors++;
}
if((data196.duration_ms === undefined) || (!(func0.call(data196, "duration_ms")))){
const err420 = {instancePath:instancePath+"/run/totals",schemaPath:"#/properties/run/properties/totals/required",keyword:"required",params:{missingProperty: "duration_ms"},message:"must have required property '"+"duration_ms"+"'"};
if(vErrors === null){
vErrors = [err420];
}
else {
vErrors.push(err420);
}
errors++;
}
if(data196.input_tokens !== undefined && func0.call(data196, "input_tokens")){
let data197 = data196.input_tokens;
if(!(((typeof data197 == "number") && (!(data197 % 1) && !isNaN(data197))) && (isFinite(data197)))){
const err421 = {instancePath:instancePath+"/run/totals/input_tokens",schemaPath:"#/properties/run/properties/totals/properties/input_tokens/type",keyword:"type",params:{type: "integer"},message:"must be integer"};
if(vErrors === null){
vErrors = [err421];
}
else {
vErrors.push(err421);
}
errors++;
}
if((typeof data197 == "number") && (isFinite(data197))){
if(data197 < 0 || isNaN(data197)){
const err422 = {instancePath:instancePath+"/run/totals/input_tokens",schemaPath:"#/properties/run/properties/totals/properties/input_tokens/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"};
if(vErrors === null){
vErrors = [err422];
}
else {
vErrors.push(err422);
}
errors++;
}
}
}
if(data196.output_tokens !== undefined && func0.call(data196, "output_tokens")){
let data198 = data196.output_tokens;
if(!(((typeof data198 == "number") && (!(data198 % 1) && !isNaN(data198))) && (isFinite(data198)))){
const err423 = {instancePath:instancePath+"/run/totals/output_tokens",schemaPath:"#/properties/run/properties/totals/properties/output_tokens/type",keyword:"type",params:{type: "integer"},message:"must be integer"};
if(vErrors === null){
vErrors = [err423];
}
else {
vErrors.push(err423);
}
errors++;
}
if((typeof data198 == "number") && (isFinite(data198))){
if(data198 < 0 || isNaN(data198)){
const err424 = {instancePath:instancePath+"/run/totals/output_tokens",schemaPath:"#/properties/run/properties/totals/properties/output_tokens/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"};
if(vErrors === null){
vErrors = [err424];
}
else {
vErrors.push(err424);
}
errors++;
}
}
}
if(data196.cost_usd !== undefined && func0.call(data196, "cost_usd")){
let data199 = data196.cost_usd;
const _errs458 = errors;
let valid68 = false;
const _errs459 = errors;
if((typeof data199 == "number") && (isFinite(data199))){
if(data199 < 0 || isNaN(data199)){
const err425 = {instancePath:instancePath+"/run/totals/cost_usd",schemaPath:"#/properties/run/properties/totals/properties/cost_usd/anyOf/0/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"};
if(vErrors === null){
vErrors = [err425];
}
else {
vErrors.push(err425);
}
errors++;
}
}
else {
const err426 = {instancePath:instancePath+"/run/totals/cost_usd",schemaPath:"#/properties/run/properties/totals/properties/cost_usd/anyOf/0/type",keyword:"type",params:{type: "number"},message:"must be number"};
if(vErrors === null){
vErrors = [err426];
}
else {
vErrors.push(err426);
}
errors++;
}
var _valid8 = _errs459 === errors;
valid68 = valid68 || _valid8;
const _errs461 = errors;
if(data199 !== null){
const err427 = {instancePath:instancePath+"/run/totals/cost_usd",schemaPath:"#/properties/run/properties/totals/properties/cost_usd/anyOf/1/type",keyword:"type",params:{type: "null"},message:"must be null"};
if(vErrors === null){
vErrors = [err427];
}
else {
vErrors.push(err427);
}
errors++;
}
var _valid8 = _errs461 === errors;
valid68 = valid68 || _valid8;
if(!valid68){
const err428 = {instancePath:instancePath+"/run/totals/cost_usd",schemaPath:"#/properties/run/properties/totals/properties/cost_usd/anyOf",keyword:"anyOf",params:{},message:"must match a schema in anyOf"};
if(vErrors === null){
vErrors = [err428];
}
else {
vErrors.push(err428);
}
errors++;
}
else {
errors = _errs458;
if(vErrors !== null){
if(_errs458){
vErrors.length = _errs458;
}
else {
vErrors = null;
}
}
}
}
if(data196.estimated !== undefined && func0.call(data196, "estimated")){
if(typeof data196.estimated !== "boolean"){
const err429 = {instancePath:instancePath+"/run/totals/estimated",schemaPath:"#/properties/run/properties/totals/properties/estimated/type",keyword:"type",params:{type: "boolean"},message:"must be boolean"};
if(vErrors === null){
vErrors = [err429];
}
else {
vErrors.push(err429);
}
errors++;
}
}
if(data196.llm_calls !== undefined && func0.call(data196, "llm_calls")){
let data201 = data196.llm_calls;
if(!(((typeof data201 == "number") && (!(data201 % 1) && !isNaN(data201))) && (isFinite(data201)))){
const err430 = {instancePath:instancePath+"/run/totals/llm_calls",schemaPath:"#/properties/run/properties/totals/properties/llm_calls/type",keyword:"type",params:{type: "integer"},message:"must be integer"};
if(vErrors === null){
vErrors = [err430];
}
else {
vErrors.push(err430);
}
errors++;
}
if((typeof data201 == "number") && (isFinite(data201))){
if(data201 < 0 || isNaN(data201)){
const err431 = {instancePath:instancePath+"/run/totals/llm_calls",schemaPath:"#/properties/run/properties/totals/properties/llm_calls/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"};
if(vErrors === null){
vErrors = [err431];
}
else {
vErrors.push(err431);
}
errors++;
}
}
}
if(data196.tool_calls !== undefined && func0.call(data196, "tool_calls")){
let data202 = data196.tool_calls;
if(!(((typeof data202 == "number") && (!(data202 % 1) && !isNaN(data202))) && (isFinite(data202)))){
const err432 = {instancePath:instancePath+"/run/totals/tool_calls",schemaPath:"#/properties/run/properties/totals/properties/tool_calls/type",keyword:"type",params:{type: "integer"},message:"must be integer"};
if(vErrors === null){
vErrors = [err432];
}
else {
vErrors.push(err432);
}
errors++;
}
if((typeof data202 == "number") && (isFinite(data202))){
if(data202 < 0 || isNaN(data202)){
const err433 = {instancePath:instancePath+"/run/totals/tool_calls",schemaPath:"#/properties/run/properties/totals/properties/tool_calls/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"};
if(vErrors === null){
vErrors = [err433];
}
else {
vErrors.push(err433);
}
errors++;
}
}
}
if(data196.iterations !== undefined && func0.call(data196, "iterations")){
let data203 = data196.iterations;
if(!(((typeof data203 == "number") && (!(data203 % 1) && !isNaN(data203))) && (isFinite(data203)))){
const err434 = {instancePath:instancePath+"/run/totals/iterations",schemaPath:"#/properties/run/properties/totals/properties/iterations/type",keyword:"type",params:{type: "integer"},message:"must be integer"};
if(vErrors === null){
vErrors = [err434];
}
else {
vErrors.push(err434);
}
errors++;
}
if((typeof data203 == "number") && (isFinite(data203))){
if(data203 < 0 || isNaN(data203)){
const err435 = {instancePath:instancePath+"/run/totals/iterations",schemaPath:"#/properties/run/properties/totals/properties/iterations/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"};
if(vErrors === null){
vErrors = [err435];
}
else {
vErrors.push(err435);
}
errors++;
}
}
}
if(data196.duration_ms !== undefined && func0.call(data196, "duration_ms")){
let data204 = data196.duration_ms;
if((typeof data204 == "number") && (isFinite(data204))){
if(data204 < 0 || isNaN(data204)){
const err436 = {instancePath:instancePath+"/run/totals/duration_ms",schemaPath:"#/properties/run/properties/totals/properties/duration_ms/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"};
if(vErrors === null){
vErrors = [err436];
}
else {
vErrors.push(err436);
}
errors++;
}
}
else {
const err437 = {instancePath:instancePath+"/run/totals/duration_ms",schemaPath:"#/properties/run/properties/totals/properties/duration_ms/type",keyword:"type",params:{type: "number"},message:"must be number"};
if(vErrors === null){
vErrors = [err437];
}
else {
vErrors.push(err437);
}
errors++;
}
}
}
else {
const err438 = {instancePath:instancePath+"/run/totals",schemaPath:"#/properties/run/properties/totals/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err438];
}
else {
vErrors.push(err438);
}
errors++;
}
}
if(data35.warnings !== undefined && func0.call(data35, "warnings")){
let data205 = data35.warnings;
if(Array.isArray(data205)){
const len15 = data205.length;
for(let i15=0; i15<len15; i15++){
let data206 = data205[i15];
if(data206 && typeof data206 == "object" && !Array.isArray(data206)){
if((data206.code === undefined) || (!(func0.call(data206, "code")))){
const err439 = {instancePath:instancePath+"/run/warnings/" + i15,schemaPath:"#/properties/run/properties/warnings/items/required",keyword:"required",params:{missingProperty: "code"},message:"must have required property '"+"code"+"'"};
if(vErrors === null){
vErrors = [err439];
}
else {
vErrors.push(err439);
}
errors++;
}
if((data206.message === undefined) || (!(func0.call(data206, "message")))){
const err440 = {instancePath:instancePath+"/run/warnings/" + i15,schemaPath:"#/properties/run/properties/warnings/items/required",keyword:"required",params:{missingProperty: "message"},message:"must have required property '"+"message"+"'"};
if(vErrors === null){
vErrors = [err440];
}
else {
vErrors.push(err440);
}
errors++;
}
if(data206.code !== undefined && func0.call(data206, "code")){
if(typeof data206.code !== "string"){
const err441 = {instancePath:instancePath+"/run/warnings/" + i15+"/code",schemaPath:"#/properties/run/properties/warnings/items/properties/code/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err441];
}
else {
vErrors.push(err441);
}
errors++;
}
}
if(data206.message !== undefined && func0.call(data206, "message")){
if(typeof data206.message !== "string"){
const err442 = {instancePath:instancePath+"/run/warnings/" + i15+"/message",schemaPath:"#/properties/run/properties/warnings/items/properties/message/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err442];
}
else {
vErrors.push(err442);
}
errors++;
}
}
}
else {
const err443 = {instancePath:instancePath+"/run/warnings/" + i15,schemaPath:"#/properties/run/properties/warnings/items/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err443];
}
else {
vErrors.push(err443);
}
errors++;
}
}
}
else {
const err444 = {instancePath:instancePath+"/run/warnings",schemaPath:"#/properties/run/properties/warnings/type",keyword:"type",params:{type: "array"},message:"must be array"};
if(vErrors === null){
vErrors = [err444];
}
else {
vErrors.push(err444);
}
errors++;
}
}
if(data35.agents !== undefined && func0.call(data35, "agents")){
let data209 = data35.agents;
if(Array.isArray(data209)){
const len16 = data209.length;
for(let i16=0; i16<len16; i16++){
let data210 = data209[i16];
if(data210 && typeof data210 == "object" && !Array.isArray(data210)){
if((data210.alias === undefined) || (!(func0.call(data210, "alias")))){
const err445 = {instancePath:instancePath+"/run/agents/" + i16,schemaPath:"#/properties/run/properties/agents/items/required",keyword:"required",params:{missingProperty: "alias"},message:"must have required property '"+"alias"+"'"};
if(vErrors === null){
vErrors = [err445];
}
else {
vErrors.push(err445);
}
errors++;
}
if((data210.run_id === undefined) || (!(func0.call(data210, "run_id")))){
const err446 = {instancePath:instancePath+"/run/agents/" + i16,schemaPath:"#/properties/run/properties/agents/items/required",keyword:"required",params:{missingProperty: "run_id"},message:"must have required property '"+"run_id"+"'"};
if(vErrors === null){
vErrors = [err446];
}
else {
vErrors.push(err446);
}
errors++;
}
if((data210.status === undefined) || (!(func0.call(data210, "status")))){
const err447 = {instancePath:instancePath+"/run/agents/" + i16,schemaPath:"#/properties/run/properties/agents/items/required",keyword:"required",params:{missingProperty: "status"},message:"must have required property '"+"status"+"'"};
if(vErrors === null){
vErrors = [err447];
}
else {
vErrors.push(err447);
}
errors++;
}
for(const key27 of Object.keys(data210)){
if(!(((key27 === "alias") || (key27 === "run_id")) || (key27 === "status"))){
const err448 = {instancePath:instancePath+"/run/agents/" + i16,schemaPath:"#/properties/run/properties/agents/items/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key27},message:"must NOT have additional properties"};
if(vErrors === null){
vErrors = [err448];
}
else {
vErrors.push(err448);
}
errors++;
}
}
if(data210.alias !== undefined && func0.call(data210, "alias")){
if(typeof data210.alias !== "string"){
const err449 = {instancePath:instancePath+"/run/agents/" + i16+"/alias",schemaPath:"#/properties/run/properties/agents/items/properties/alias/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err449];
}
else {
vErrors.push(err449);
}
errors++;
}
}
if(data210.run_id !== undefined && func0.call(data210, "run_id")){
if(typeof data210.run_id !== "string"){
const err450 = {instancePath:instancePath+"/run/agents/" + i16+"/run_id",schemaPath:"#/properties/run/properties/agents/items/properties/run_id/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err450];
}
else {
vErrors.push(err450);
}
errors++;
}
}
if(data210.status !== undefined && func0.call(data210, "status")){
let data213 = data210.status;
if(typeof data213 !== "string"){
const err451 = {instancePath:instancePath+"/run/agents/" + i16+"/status",schemaPath:"#/properties/run/properties/agents/items/properties/status/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err451];
}
else {
vErrors.push(err451);
}
errors++;
}
if(!(((data213 === "completed") || (data213 === "failed")) || (data213 === "cancelled"))){
const err452 = {instancePath:instancePath+"/run/agents/" + i16+"/status",schemaPath:"#/properties/run/properties/agents/items/properties/status/enum",keyword:"enum",params:{allowedValues: schema31.properties.run.properties.agents.items.properties.status.enum},message:"must be equal to one of the allowed values"};
if(vErrors === null){
vErrors = [err452];
}
else {
vErrors.push(err452);
}
errors++;
}
}
}
else {
const err453 = {instancePath:instancePath+"/run/agents/" + i16,schemaPath:"#/properties/run/properties/agents/items/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err453];
}
else {
vErrors.push(err453);
}
errors++;
}
}
}
else {
const err454 = {instancePath:instancePath+"/run/agents",schemaPath:"#/properties/run/properties/agents/type",keyword:"type",params:{type: "array"},message:"must be array"};
if(vErrors === null){
vErrors = [err454];
}
else {
vErrors.push(err454);
}
errors++;
}
}
if(data35.partial !== undefined && func0.call(data35, "partial")){
let data214 = data35.partial;
const _errs493 = errors;
let valid75 = false;
const _errs494 = errors;
if(typeof data214 !== "string"){
const err455 = {instancePath:instancePath+"/run/partial",schemaPath:"#/properties/run/properties/partial/anyOf/0/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err455];
}
else {
vErrors.push(err455);
}
errors++;
}
var _valid9 = _errs494 === errors;
valid75 = valid75 || _valid9;
const _errs496 = errors;
if(data214 !== null){
const err456 = {instancePath:instancePath+"/run/partial",schemaPath:"#/properties/run/properties/partial/anyOf/1/type",keyword:"type",params:{type: "null"},message:"must be null"};
if(vErrors === null){
vErrors = [err456];
}
else {
vErrors.push(err456);
}
errors++;
}
var _valid9 = _errs496 === errors;
valid75 = valid75 || _valid9;
if(!valid75){
const err457 = {instancePath:instancePath+"/run/partial",schemaPath:"#/properties/run/properties/partial/anyOf",keyword:"anyOf",params:{},message:"must match a schema in anyOf"};
if(vErrors === null){
vErrors = [err457];
}
else {
vErrors.push(err457);
}
errors++;
}
else {
errors = _errs493;
if(vErrors !== null){
if(_errs493){
vErrors.length = _errs493;
}
else {
vErrors = null;
}
}
}
}
if(data35.end !== undefined && func0.call(data35, "end")){
let data215 = data35.end;
const _errs499 = errors;
let valid76 = false;
const _errs500 = errors;
if(data215 && typeof data215 == "object" && !Array.isArray(data215)){
if((data215.status === undefined) || (!(func0.call(data215, "status")))){
const err458 = {instancePath:instancePath+"/run/end",schemaPath:"#/properties/run/properties/end/anyOf/0/required",keyword:"required",params:{missingProperty: "status"},message:"must have required property '"+"status"+"'"};
if(vErrors === null){
vErrors = [err458];
}
else {
vErrors.push(err458);
}
errors++;
}
if((data215.stop_reason === undefined) || (!(func0.call(data215, "stop_reason")))){
const err459 = {instancePath:instancePath+"/run/end",schemaPath:"#/properties/run/properties/end/anyOf/0/required",keyword:"required",params:{missingProperty: "stop_reason"},message:"must have required property '"+"stop_reason"+"'"};
if(vErrors === null){
vErrors = [err459];
}
else {
vErrors.push(err459);
}
errors++;
}
}
else {
const err460 = {instancePath:instancePath+"/run/end",schemaPath:"#/properties/run/properties/end/anyOf/0/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err460];
}
else {
vErrors.push(err460);
}
errors++;
}
var _valid10 = _errs500 === errors;
valid76 = valid76 || _valid10;
const _errs502 = errors;
if(data215 !== null){
const err461 = {instancePath:instancePath+"/run/end",schemaPath:"#/properties/run/properties/end/anyOf/1/type",keyword:"type",params:{type: "null"},message:"must be null"};
if(vErrors === null){
vErrors = [err461];
}
else {
vErrors.push(err461);
}
errors++;
}
var _valid10 = _errs502 === errors;
valid76 = valid76 || _valid10;
if(!valid76){
const err462 = {instancePath:instancePath+"/run/end",schemaPath:"#/properties/run/properties/end/anyOf",keyword:"anyOf",params:{},message:"must match a schema in anyOf"};
if(vErrors === null){
vErrors = [err462];
}
else {
vErrors.push(err462);
}
errors++;
}
else {
errors = _errs499;
if(vErrors !== null){
if(_errs499){
vErrors.length = _errs499;
}
else {
vErrors = null;
}
}
}
}
if(data35.ending !== undefined && func0.call(data35, "ending")){
let data216 = data35.ending;
const _errs505 = errors;
let valid77 = false;
const _errs506 = errors;
if(data216 && typeof data216 == "object" && !Array.isArray(data216)){
if((data216.end === undefined) || (!(func0.call(data216, "end")))){
const err463 = {instancePath:instancePath+"/run/ending",schemaPath:"#/properties/run/properties/ending/anyOf/0/required",keyword:"required",params:{missingProperty: "end"},message:"must have required property '"+"end"+"'"};
if(vErrors === null){
vErrors = [err463];
}
else {
vErrors.push(err463);
}
errors++;
}
if((data216.since === undefined) || (!(func0.call(data216, "since")))){
const err464 = {instancePath:instancePath+"/run/ending",schemaPath:"#/properties/run/properties/ending/anyOf/0/required",keyword:"required",params:{missingProperty: "since"},message:"must have required property '"+"since"+"'"};
if(vErrors === null){
vErrors = [err464];
}
else {
vErrors.push(err464);
}
errors++;
}
}
else {
const err465 = {instancePath:instancePath+"/run/ending",schemaPath:"#/properties/run/properties/ending/anyOf/0/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err465];
}
else {
vErrors.push(err465);
}
errors++;
}
var _valid11 = _errs506 === errors;
valid77 = valid77 || _valid11;
const _errs508 = errors;
if(data216 !== null){
const err466 = {instancePath:instancePath+"/run/ending",schemaPath:"#/properties/run/properties/ending/anyOf/1/type",keyword:"type",params:{type: "null"},message:"must be null"};
if(vErrors === null){
vErrors = [err466];
}
else {
vErrors.push(err466);
}
errors++;
}
var _valid11 = _errs508 === errors;
valid77 = valid77 || _valid11;
if(!valid77){
const err467 = {instancePath:instancePath+"/run/ending",schemaPath:"#/properties/run/properties/ending/anyOf",keyword:"anyOf",params:{},message:"must match a schema in anyOf"};
if(vErrors === null){
vErrors = [err467];
}
else {
vErrors.push(err467);
}
errors++;
}
else {
errors = _errs505;
if(vErrors !== null){
if(_errs505){
vErrors.length = _errs505;
}
else {
vErrors = null;
}
}
}
}
if(data35.sent_by_origin !== undefined && func0.call(data35, "sent_by_origin")){
let data217 = data35.sent_by_origin;
if(Array.isArray(data217)){
const len17 = data217.length;
for(let i17=0; i17<len17; i17++){
let data218 = data217[i17];
if(data218 && typeof data218 == "object" && !Array.isArray(data218)){
if((data218.path === undefined) || (!(func0.call(data218, "path")))){
const err468 = {instancePath:instancePath+"/run/sent_by_origin/" + i17,schemaPath:"#/properties/run/properties/sent_by_origin/items/required",keyword:"required",params:{missingProperty: "path"},message:"must have required property '"+"path"+"'"};
if(vErrors === null){
vErrors = [err468];
}
else {
vErrors.push(err468);
}
errors++;
}
if((data218.tool === undefined) || (!(func0.call(data218, "tool")))){
const err469 = {instancePath:instancePath+"/run/sent_by_origin/" + i17,schemaPath:"#/properties/run/properties/sent_by_origin/items/required",keyword:"required",params:{missingProperty: "tool"},message:"must have required property '"+"tool"+"'"};
if(vErrors === null){
vErrors = [err469];
}
else {
vErrors.push(err469);
}
errors++;
}
if((data218.args === undefined) || (!(func0.call(data218, "args")))){
const err470 = {instancePath:instancePath+"/run/sent_by_origin/" + i17,schemaPath:"#/properties/run/properties/sent_by_origin/items/required",keyword:"required",params:{missingProperty: "args"},message:"must have required property '"+"args"+"'"};
if(vErrors === null){
vErrors = [err470];
}
else {
vErrors.push(err470);
}
errors++;
}
for(const key28 of Object.keys(data218)){
if(!(((((key28 === "path") || (key28 === "tool")) || (key28 === "args")) || (key28 === "result")) || (key28 === "error"))){
const err471 = {instancePath:instancePath+"/run/sent_by_origin/" + i17,schemaPath:"#/properties/run/properties/sent_by_origin/items/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key28},message:"must NOT have additional properties"};
if(vErrors === null){
vErrors = [err471];
}
else {
vErrors.push(err471);
}
errors++;
}
}
if(data218.path !== undefined && func0.call(data218, "path")){
let data219 = data218.path;
if(Array.isArray(data219)){
const len18 = data219.length;
for(let i18=0; i18<len18; i18++){
if(typeof data219[i18] !== "string"){
const err472 = {instancePath:instancePath+"/run/sent_by_origin/" + i17+"/path/" + i18,schemaPath:"#/properties/run/properties/sent_by_origin/items/properties/path/items/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err472];
}
else {
vErrors.push(err472);
}
errors++;
}
}
}
else {
const err473 = {instancePath:instancePath+"/run/sent_by_origin/" + i17+"/path",schemaPath:"#/properties/run/properties/sent_by_origin/items/properties/path/type",keyword:"type",params:{type: "array"},message:"must be array"};
if(vErrors === null){
vErrors = [err473];
}
else {
vErrors.push(err473);
}
errors++;
}
}
if(data218.tool !== undefined && func0.call(data218, "tool")){
if(typeof data218.tool !== "string"){
const err474 = {instancePath:instancePath+"/run/sent_by_origin/" + i17+"/tool",schemaPath:"#/properties/run/properties/sent_by_origin/items/properties/tool/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err474];
}
else {
vErrors.push(err474);
}
errors++;
}
}
if(data218.args !== undefined && func0.call(data218, "args")){
let data222 = data218.args;
if(!(data222 && typeof data222 == "object" && !Array.isArray(data222))){
const err475 = {instancePath:instancePath+"/run/sent_by_origin/" + i17+"/args",schemaPath:"#/properties/run/properties/sent_by_origin/items/properties/args/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err475];
}
else {
vErrors.push(err475);
}
errors++;
}
}
if(data218.error !== undefined && func0.call(data218, "error")){
if(typeof data218.error !== "boolean"){
const err476 = {instancePath:instancePath+"/run/sent_by_origin/" + i17+"/error",schemaPath:"#/properties/run/properties/sent_by_origin/items/properties/error/type",keyword:"type",params:{type: "boolean"},message:"must be boolean"};
if(vErrors === null){
vErrors = [err476];
}
else {
vErrors.push(err476);
}
errors++;
}
}
}
else {
const err477 = {instancePath:instancePath+"/run/sent_by_origin/" + i17,schemaPath:"#/properties/run/properties/sent_by_origin/items/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err477];
}
else {
vErrors.push(err477);
}
errors++;
}
}
}
else {
const err478 = {instancePath:instancePath+"/run/sent_by_origin",schemaPath:"#/properties/run/properties/sent_by_origin/type",keyword:"type",params:{type: "array"},message:"must be array"};
if(vErrors === null){
vErrors = [err478];
}
else {
vErrors.push(err478);
}
errors++;
}
}
}
else {
const err479 = {instancePath:instancePath+"/run",schemaPath:"#/properties/run/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err479];
}
else {
vErrors.push(err479);
}
errors++;
}
}
if(data.documents !== undefined && func0.call(data, "documents")){
let data224 = data.documents;
if(Array.isArray(data224)){
const len19 = data224.length;
for(let i19=0; i19<len19; i19++){
let data225 = data224[i19];
if(!(data225 && typeof data225 == "object" && !Array.isArray(data225))){
const err480 = {instancePath:instancePath+"/documents/" + i19,schemaPath:"#/properties/documents/items/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err480];
}
else {
vErrors.push(err480);
}
errors++;
}
}
}
else {
const err481 = {instancePath:instancePath+"/documents",schemaPath:"#/properties/documents/type",keyword:"type",params:{type: "array"},message:"must be array"};
if(vErrors === null){
vErrors = [err481];
}
else {
vErrors.push(err481);
}
errors++;
}
}
if(data.receipts !== undefined && func0.call(data, "receipts")){
let data226 = data.receipts;
if(Array.isArray(data226)){
const len20 = data226.length;
for(let i20=0; i20<len20; i20++){
let data227 = data226[i20];
if(data227 && typeof data227 == "object" && !Array.isArray(data227)){
if((data227.type === undefined) || (!(func0.call(data227, "type")))){
const err482 = {instancePath:instancePath+"/receipts/" + i20,schemaPath:"#/properties/receipts/items/required",keyword:"required",params:{missingProperty: "type"},message:"must have required property '"+"type"+"'"};
if(vErrors === null){
vErrors = [err482];
}
else {
vErrors.push(err482);
}
errors++;
}
if(data227.type !== undefined && func0.call(data227, "type")){
let data228 = data227.type;
if(typeof data228 !== "string"){
const err483 = {instancePath:instancePath+"/receipts/" + i20+"/type",schemaPath:"#/properties/receipts/items/properties/type/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err483];
}
else {
vErrors.push(err483);
}
errors++;
}
if(!((data228 === "receipt") || (data228 === "receipts.end"))){
const err484 = {instancePath:instancePath+"/receipts/" + i20+"/type",schemaPath:"#/properties/receipts/items/properties/type/enum",keyword:"enum",params:{allowedValues: schema31.properties.receipts.items.properties.type.enum},message:"must be equal to one of the allowed values"};
if(vErrors === null){
vErrors = [err484];
}
else {
vErrors.push(err484);
}
errors++;
}
}
}
else {
const err485 = {instancePath:instancePath+"/receipts/" + i20,schemaPath:"#/properties/receipts/items/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err485];
}
else {
vErrors.push(err485);
}
errors++;
}
}
}
else {
const err486 = {instancePath:instancePath+"/receipts",schemaPath:"#/properties/receipts/type",keyword:"type",params:{type: "array"},message:"must be array"};
if(vErrors === null){
vErrors = [err486];
}
else {
vErrors.push(err486);
}
errors++;
}
}
if(data.personal_data !== undefined && func0.call(data, "personal_data")){
if(typeof data.personal_data !== "string"){
const err487 = {instancePath:instancePath+"/personal_data",schemaPath:"#/properties/personal_data/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err487];
}
else {
vErrors.push(err487);
}
errors++;
}
}
}
else {
const err488 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err488];
}
else {
vErrors.push(err488);
}
errors++;
}
validate20.errors = vErrors;
return errors === 0;
}
validate20.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};
