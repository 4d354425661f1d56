// Generated from src/state/waybill-member.schema.ts by `npm run generate`. Do not edit.
"use strict";
export const validate = validate20;
export default validate20;
const schema31 = {"$schema":"https://json-schema.org/draft/2020-12/schema","$id":"urn:waybill:schema:state-member:1","type":"object","required":["v","plan_hash","definition_hash","seq","deadline_in_ms","routes","messages","record_items","run"],"properties":{"v":{"const":1},"plan_hash":{"type":"string"},"definition_hash":{"type":"string"},"seq":{"type":"integer","minimum":0},"user":{"type":"string"},"session":{"type":"string"},"deadline_in_ms":{"anyOf":[{"type":"number","description":"Time left for the turn, in milliseconds."},{"type":"null"}]},"budget":{"type":"object","properties":{"tokens":{"type":"number","minimum":0},"usd":{"type":"number","minimum":0},"calls":{"type":"number","minimum":0},"seconds":{"type":"number","minimum":0}},"additionalProperties":false},"routes":{"type":"array","items":{"type":"object","required":["provider","model"],"properties":{"provider":{"type":"string"},"model":{"type":"string"}},"additionalProperties":false}},"messages":{"type":"array","items":{"type":"object","required":["at"],"properties":{"at":{"type":"integer","minimum":0},"calls":{"type":"array","items":{"type":"object","required":["id","tool","args"],"properties":{"id":{"type":"string"},"tool":{"type":"string"},"args":{"type":"object"},"malformed":{"type":"string"},"fits":{"type":"boolean"},"personal":{"type":"boolean"}},"additionalProperties":false}},"opaque":{"type":"object","required":["provider","parts"],"properties":{"provider":{"type":"string"},"parts":{}},"additionalProperties":false},"error":{"type":"boolean"},"open":{"type":"boolean"},"repair":{"type":"boolean"},"recalled":{"type":"array","items":{"type":"string"}},"others":{"type":"boolean"},"triggered":{"type":"boolean"}},"additionalProperties":false}},"record_items":{"type":"array","items":{"type":"object","required":["scope","key"],"properties":{"scope":{"type":"string"},"key":{"type":"string"},"passed":{"type":"boolean"}},"additionalProperties":false}},"run":{"type":"object","required":["status","turn","attempts","attempt","calls","steering","received","turn_start","sent","unsettled","counted","stage","recalling","started_at","background","input","limits","trace_parent","trace_state","depth","named","triggered","handed_off","review","reviews","start_hook_turn","end_hook_turn","tally","repairs","down","answered_by","totals","warnings","agents","partial","end","ending","sent_by_origin"],"properties":{"status":{"type":"string","enum":["running","waiting","paused","completed","failed","refused","cancelled"]},"turn":{"type":"integer","minimum":0},"deadline_of":{"type":"string","enum":["runtime","budget"]},"attempts":{"type":"integer","minimum":0},"attempt":{"anyOf":[{"type":"object","description":"The question to a model that has no answer yet.","required":["n","route","retry","delay_ms","failed"],"properties":{"n":{"type":"integer","minimum":0,"description":"Number of the question."},"route":{"type":"integer","minimum":0,"description":"The route that is asked. An index in `routes`."},"retry":{"type":"integer","minimum":0,"description":"How often this route was tried again."},"delay_ms":{"type":"number","description":"Delay before it is sent.","minimum":0},"due_at":{"type":"number","description":"When it is sent.","minimum":0},"continues":{"type":"boolean","description":"The model continues the interrupted answer, `partial`."},"failed":{"type":"array","items":{"type":"object","description":"A route that was given up.","required":["route","code","message"],"properties":{"route":{"type":"integer","minimum":0,"description":"The route. An index in `routes`."},"code":{"type":"string","description":"Code of the failure."},"message":{"type":"string","description":"Message of the failure."},"hint":{"type":"string","description":"What to do about it."}},"additionalProperties":false},"description":"Routes that were given up for this question."},"why":{"type":"string","description":"Why this route was chosen."},"skipped":{"type":"array","items":{"type":"object","description":"A route that was not used.","required":["route","reason"],"properties":{"route":{"type":"integer","minimum":0,"description":"The route. An index in `routes`."},"reason":{"type":"string","description":"Why."}},"additionalProperties":false},"description":"Routes of a higher rank that were skipped."},"prompt_tokens":{"type":"integer","minimum":0,"description":"Estimated tokens of the question."}},"additionalProperties":false},{"type":"null"}]},"calls":{"type":"array","items":{"type":"object","required":["id","tool","args","key","effect","status"],"properties":{"id":{"type":"string"},"tool":{"type":"string"},"args":{"type":"object"},"key":{"type":"string"},"effect":{"type":"string","enum":["none","idempotent","once"]},"status":{"type":"string","enum":["queued","judging","asking","input_required","held","sent","unknown","done"]},"unasked":{"type":"boolean"},"result":{},"error":{"type":"boolean"},"asked_at":{"type":"number","minimum":0},"unsettled":{"type":"boolean"},"by_origin":{"type":"boolean"},"why":{"type":"string"},"lapses_at":{"type":"number","minimum":0},"unfit":{"type":"string"},"proposed":{"type":"object"},"elicitation":{"type":"object","required":["round","questions"],"properties":{"round":{"type":"integer","minimum":0},"questions":{"type":"array","items":{"type":"object","required":["key","mode","message"],"properties":{"key":{"type":"string"},"mode":{"type":"string","enum":["form","url"]},"message":{"type":"string"},"schema":{"type":"object"},"url":{"type":"string"}},"additionalProperties":false}},"request_state":{"type":"string"},"answers":{"type":"object"},"before":{"type":"array","items":{"type":"object","required":["questions","answers"],"properties":{"questions":{"type":"array","items":{"type":"object","required":["key","mode","message"],"properties":{"key":{"type":"string"},"mode":{"type":"string","enum":["form","url"]},"message":{"type":"string"},"schema":{"type":"object"},"url":{"type":"string"}},"additionalProperties":false}},"answers":{"type":"object"}},"additionalProperties":false}}},"additionalProperties":false},"agent":{"type":"object","required":["alias","definition","run_id","input","pass_context","limits"],"properties":{"alias":{"type":"string"},"definition":{"type":"string"},"run_id":{"type":"string"},"input":{},"pass_context":{"type":"boolean"},"memory":{"type":"object"},"limits":{"type":"object","properties":{"tokens":{"type":"number","minimum":0},"usd":{"type":"number","minimum":0},"calls":{"type":"number","minimum":0},"deadline_at":{"type":"number","minimum":0},"deadline_of":{"type":"string","enum":["runtime","budget"]}},"additionalProperties":false},"instead_of":{"type":"string"}},"additionalProperties":false}},"additionalProperties":false}},"steering":{"type":"array","items":{"type":"object","required":["text"],"properties":{"text":{"type":"string"},"message":{"type":"string"}},"additionalProperties":false}},"received":{"type":"array","items":{"type":"string"}},"turn_start":{"type":"object","required":["messages","background"],"properties":{"messages":{"type":"integer","minimum":0},"background":{"type":"object"}},"additionalProperties":false},"sent":{"type":"array","items":{"type":"object","required":["id","tool","args","key","effect","status"],"properties":{"id":{"type":"string"},"tool":{"type":"string"},"args":{"type":"object"},"key":{"type":"string"},"effect":{"type":"string","enum":["none","idempotent","once"]},"status":{"type":"string","enum":["queued","judging","asking","input_required","held","sent","unknown","done"]},"unasked":{"type":"boolean"},"result":{},"error":{"type":"boolean"},"asked_at":{"type":"number","minimum":0},"unsettled":{"type":"boolean"},"by_origin":{"type":"boolean"},"why":{"type":"string"},"lapses_at":{"type":"number","minimum":0},"unfit":{"type":"string"},"proposed":{"type":"object"},"elicitation":{"type":"object","required":["round","questions"],"properties":{"round":{"type":"integer","minimum":0},"questions":{"type":"array","items":{"type":"object","required":["key","mode","message"],"properties":{"key":{"type":"string"},"mode":{"type":"string","enum":["form","url"]},"message":{"type":"string"},"schema":{"type":"object"},"url":{"type":"string"}},"additionalProperties":false}},"request_state":{"type":"string"},"answers":{"type":"object"},"before":{"type":"array","items":{"type":"object","required":["questions","answers"],"properties":{"questions":{"type":"array","items":{"type":"object","required":["key","mode","message"],"properties":{"key":{"type":"string"},"mode":{"type":"string","enum":["form","url"]},"message":{"type":"string"},"schema":{"type":"object"},"url":{"type":"string"}},"additionalProperties":false}},"answers":{"type":"object"}},"additionalProperties":false}}},"additionalProperties":false},"agent":{"type":"object","required":["alias","definition","run_id","input","pass_context","limits"],"properties":{"alias":{"type":"string"},"definition":{"type":"string"},"run_id":{"type":"string"},"input":{},"pass_context":{"type":"boolean"},"memory":{"type":"object"},"limits":{"type":"object","properties":{"tokens":{"type":"number","minimum":0},"usd":{"type":"number","minimum":0},"calls":{"type":"number","minimum":0},"deadline_at":{"type":"number","minimum":0},"deadline_of":{"type":"string","enum":["runtime","budget"]}},"additionalProperties":false},"instead_of":{"type":"string"}},"additionalProperties":false}},"additionalProperties":false}},"denied":{"type":"array","items":{"type":"object","required":["agent_id","tool","args","by"],"properties":{"agent_id":{"type":"string"},"tool":{"type":"string"},"args":{"type":"object"},"by":{"type":"string"},"why":{"type":"string"}},"additionalProperties":false}},"unsettled":{"type":"array","items":{"type":"object","required":["id","tool","args","key","effect","status"],"properties":{"id":{"type":"string"},"tool":{"type":"string"},"args":{"type":"object"},"key":{"type":"string"},"effect":{"type":"string","enum":["none","idempotent","once"]},"status":{"type":"string","enum":["queued","judging","asking","input_required","held","sent","unknown","done"]},"unasked":{"type":"boolean"},"result":{},"error":{"type":"boolean"},"asked_at":{"type":"number","minimum":0},"unsettled":{"type":"boolean"},"by_origin":{"type":"boolean"},"why":{"type":"string"},"lapses_at":{"type":"number","minimum":0},"unfit":{"type":"string"},"proposed":{"type":"object"},"elicitation":{"type":"object","required":["round","questions"],"properties":{"round":{"type":"integer","minimum":0},"questions":{"type":"array","items":{"type":"object","required":["key","mode","message"],"properties":{"key":{"type":"string"},"mode":{"type":"string","enum":["form","url"]},"message":{"type":"string"},"schema":{"type":"object"},"url":{"type":"string"}},"additionalProperties":false}},"request_state":{"type":"string"},"answers":{"type":"object"},"before":{"type":"array","items":{"type":"object","required":["questions","answers"],"properties":{"questions":{"type":"array","items":{"type":"object","required":["key","mode","message"],"properties":{"key":{"type":"string"},"mode":{"type":"string","enum":["form","url"]},"message":{"type":"string"},"schema":{"type":"object"},"url":{"type":"string"}},"additionalProperties":false}},"answers":{"type":"object"}},"additionalProperties":false}}},"additionalProperties":false},"agent":{"type":"object","required":["alias","definition","run_id","input","pass_context","limits"],"properties":{"alias":{"type":"string"},"definition":{"type":"string"},"run_id":{"type":"string"},"input":{},"pass_context":{"type":"boolean"},"memory":{"type":"object"},"limits":{"type":"object","properties":{"tokens":{"type":"number","minimum":0},"usd":{"type":"number","minimum":0},"calls":{"type":"number","minimum":0},"deadline_at":{"type":"number","minimum":0},"deadline_of":{"type":"string","enum":["runtime","budget"]}},"additionalProperties":false},"instead_of":{"type":"string"}},"additionalProperties":false}},"additionalProperties":false}},"counted":{"anyOf":[{"type":"object","description":"Tokens that a provider counted.","required":["tokens","messages"],"properties":{"tokens":{"type":"integer","minimum":0,"description":"Tokens."},"messages":{"type":"integer","minimum":0,"description":"Number of messages."}},"additionalProperties":false},{"type":"null"}]},"stage":{"anyOf":[{"type":"object","description":"Stage of the work of sub-agents.","required":["type"],"properties":{"type":{"type":"string","enum":["pipeline","swarm","route","handoff"],"description":"Kind of the stage."},"step":{"type":"integer","minimum":0,"description":"Of a pipeline: index of the step."},"phase":{"type":"string","enum":["work","judge","merge"],"description":"Of a swarm."},"rule":{"type":"integer","minimum":0,"description":"Of a hand-off: index of the rule."}}},{"type":"null"}]},"choice":{"type":"array","items":{"type":"object","required":["alias","result"],"properties":{"alias":{"type":"string"},"result":{}},"additionalProperties":false}},"recalling":{"type":"boolean"},"started_at":{"type":"number","minimum":0},"background":{"type":"object"},"input":{},"limits":{"type":"object","properties":{"tokens":{"type":"number","minimum":0},"usd":{"type":"number","minimum":0},"calls":{"type":"number","minimum":0},"deadline_at":{"type":"number","minimum":0},"deadline_of":{"type":"string","enum":["runtime","budget"]}},"additionalProperties":false},"trace_parent":{"anyOf":[{"type":"string","description":"W3C traceparent."},{"type":"null"}]},"trace_state":{"anyOf":[{"type":"string","description":"W3C tracestate."},{"type":"null"}]},"depth":{"type":"integer","minimum":0},"named":{"type":"array","items":{"type":"string"}},"triggered":{"type":"boolean"},"withheld":{"type":"boolean"},"copied":{"type":"integer","minimum":0},"handed_off":{"type":"array","items":{"type":"integer","minimum":0}},"review":{"anyOf":[{"type":"object","description":"What a judge reviews.","required":["n","subject"],"properties":{"n":{"type":"integer","minimum":0,"description":"Number of the review."},"subject":{"type":"string","enum":["answer","calls"],"description":"What is reviewed."},"text":{"type":"string","description":"The answer."}}},{"type":"null"}]},"reviews":{"type":"integer","minimum":0},"start_hook_turn":{"type":"integer","minimum":0},"end_hook_turn":{"type":"integer","minimum":0},"tally":{"type":"object","additionalProperties":{"type":"object","description":"One tool.","required":["called","succeeded"],"properties":{"called":{"type":"integer","minimum":0,"description":"Calls."},"succeeded":{"type":"integer","minimum":0,"description":"Successes in this turn."}},"additionalProperties":false}},"repairs":{"type":"integer","minimum":0},"down":{"type":"object","additionalProperties":{"type":"number","description":"Until when.","minimum":0}},"answered_by":{"anyOf":[{"type":"integer","minimum":0,"description":"The route of the last answer. An index in `routes`."},{"type":"null"}]},"totals":{"type":"object","required":["input_tokens","output_tokens","cost_usd","llm_calls","tool_calls","iterations","duration_ms"],"properties":{"input_tokens":{"type":"integer","minimum":0},"output_tokens":{"type":"integer","minimum":0},"cost_usd":{"anyOf":[{"type":"number","description":"US dollars.","minimum":0},{"type":"null"}]},"estimated":{"type":"boolean"},"llm_calls":{"type":"integer","minimum":0},"tool_calls":{"type":"integer","minimum":0},"iterations":{"type":"integer","minimum":0},"duration_ms":{"type":"number","minimum":0}}},"warnings":{"type":"array","items":{"type":"object","required":["code","message"],"properties":{"code":{"type":"string"},"message":{"type":"string"}}}},"agents":{"type":"array","items":{"type":"object","required":["alias","run_id","status"],"properties":{"alias":{"type":"string"},"run_id":{"type":"string"},"status":{"type":"string","enum":["completed","failed","cancelled"]}},"additionalProperties":false}},"partial":{"anyOf":[{"type":"string","description":"Text that a model had written before the run was paused."},{"type":"null"}]},"end":{"anyOf":[{"type":"object","description":"The end of the run.","required":["status","stop_reason"],"properties":{}},{"type":"null"}]},"ending":{"anyOf":[{"type":"object","description":"The end that waits for calls.","required":["end","since"],"properties":{}},{"type":"null"}]},"sent_by_origin":{"type":"array","items":{"type":"object","required":["path","tool","args"],"properties":{"path":{"type":"array","items":{"type":"string"}},"tool":{"type":"string"},"args":{"type":"object"},"key":{"type":"string"},"idempotent":{"type":"boolean"},"result":{},"error":{"type":"boolean"}},"additionalProperties":false}}},"additionalProperties":false},"documents":{"type":"array","items":{"type":"object"}},"receipts":{"type":"array","items":{"type":"object","required":["type"],"properties":{"type":{"type":"string","enum":["receipt","receipts.end"]}}}},"personal_data":{"type":"string"}},"additionalProperties":false};
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
if(data.budget !== undefined && func0.call(data, "budget")){
let data7 = data.budget;
if(data7 && typeof data7 == "object" && !Array.isArray(data7)){
for(const key1 of Object.keys(data7)){
if(!((((key1 === "tokens") || (key1 === "usd")) || (key1 === "calls")) || (key1 === "seconds"))){
const err20 = {instancePath:instancePath+"/budget",schemaPath:"#/properties/budget/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key1},message:"must NOT have additional properties"};
if(vErrors === null){
vErrors = [err20];
}
else {
vErrors.push(err20);
}
errors++;
}
}
if(data7.tokens !== undefined && func0.call(data7, "tokens")){
let data8 = data7.tokens;
if((typeof data8 == "number") && (isFinite(data8))){
if(data8 < 0 || isNaN(data8)){
const err21 = {instancePath:instancePath+"/budget/tokens",schemaPath:"#/properties/budget/properties/tokens/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"};
if(vErrors === null){
vErrors = [err21];
}
else {
vErrors.push(err21);
}
errors++;
}
}
else {
const err22 = {instancePath:instancePath+"/budget/tokens",schemaPath:"#/properties/budget/properties/tokens/type",keyword:"type",params:{type: "number"},message:"must be number"};
if(vErrors === null){
vErrors = [err22];
}
else {
vErrors.push(err22);
}
errors++;
}
}
if(data7.usd !== undefined && func0.call(data7, "usd")){
let data9 = data7.usd;
if((typeof data9 == "number") && (isFinite(data9))){
if(data9 < 0 || isNaN(data9)){
const err23 = {instancePath:instancePath+"/budget/usd",schemaPath:"#/properties/budget/properties/usd/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"};
if(vErrors === null){
vErrors = [err23];
}
else {
vErrors.push(err23);
}
errors++;
}
}
else {
const err24 = {instancePath:instancePath+"/budget/usd",schemaPath:"#/properties/budget/properties/usd/type",keyword:"type",params:{type: "number"},message:"must be number"};
if(vErrors === null){
vErrors = [err24];
}
else {
vErrors.push(err24);
}
errors++;
}
}
if(data7.calls !== undefined && func0.call(data7, "calls")){
let data10 = data7.calls;
if((typeof data10 == "number") && (isFinite(data10))){
if(data10 < 0 || isNaN(data10)){
const err25 = {instancePath:instancePath+"/budget/calls",schemaPath:"#/properties/budget/properties/calls/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"};
if(vErrors === null){
vErrors = [err25];
}
else {
vErrors.push(err25);
}
errors++;
}
}
else {
const err26 = {instancePath:instancePath+"/budget/calls",schemaPath:"#/properties/budget/properties/calls/type",keyword:"type",params:{type: "number"},message:"must be number"};
if(vErrors === null){
vErrors = [err26];
}
else {
vErrors.push(err26);
}
errors++;
}
}
if(data7.seconds !== undefined && func0.call(data7, "seconds")){
let data11 = data7.seconds;
if((typeof data11 == "number") && (isFinite(data11))){
if(data11 < 0 || isNaN(data11)){
const err27 = {instancePath:instancePath+"/budget/seconds",schemaPath:"#/properties/budget/properties/seconds/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"};
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
const err28 = {instancePath:instancePath+"/budget/seconds",schemaPath:"#/properties/budget/properties/seconds/type",keyword:"type",params:{type: "number"},message:"must be number"};
if(vErrors === null){
vErrors = [err28];
}
else {
vErrors.push(err28);
}
errors++;
}
}
}
else {
const err29 = {instancePath:instancePath+"/budget",schemaPath:"#/properties/budget/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err29];
}
else {
vErrors.push(err29);
}
errors++;
}
}
if(data.routes !== undefined && func0.call(data, "routes")){
let data12 = data.routes;
if(Array.isArray(data12)){
const len0 = data12.length;
for(let i0=0; i0<len0; i0++){
let data13 = data12[i0];
if(data13 && typeof data13 == "object" && !Array.isArray(data13)){
if((data13.provider === undefined) || (!(func0.call(data13, "provider")))){
const err30 = {instancePath:instancePath+"/routes/" + i0,schemaPath:"#/properties/routes/items/required",keyword:"required",params:{missingProperty: "provider"},message:"must have required property '"+"provider"+"'"};
if(vErrors === null){
vErrors = [err30];
}
else {
vErrors.push(err30);
}
errors++;
}
if((data13.model === undefined) || (!(func0.call(data13, "model")))){
const err31 = {instancePath:instancePath+"/routes/" + i0,schemaPath:"#/properties/routes/items/required",keyword:"required",params:{missingProperty: "model"},message:"must have required property '"+"model"+"'"};
if(vErrors === null){
vErrors = [err31];
}
else {
vErrors.push(err31);
}
errors++;
}
for(const key2 of Object.keys(data13)){
if(!((key2 === "provider") || (key2 === "model"))){
const err32 = {instancePath:instancePath+"/routes/" + i0,schemaPath:"#/properties/routes/items/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key2},message:"must NOT have additional properties"};
if(vErrors === null){
vErrors = [err32];
}
else {
vErrors.push(err32);
}
errors++;
}
}
if(data13.provider !== undefined && func0.call(data13, "provider")){
if(typeof data13.provider !== "string"){
const err33 = {instancePath:instancePath+"/routes/" + i0+"/provider",schemaPath:"#/properties/routes/items/properties/provider/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err33];
}
else {
vErrors.push(err33);
}
errors++;
}
}
if(data13.model !== undefined && func0.call(data13, "model")){
if(typeof data13.model !== "string"){
const err34 = {instancePath:instancePath+"/routes/" + i0+"/model",schemaPath:"#/properties/routes/items/properties/model/type",keyword:"type",params:{type: "string"},message:"must be string"};
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
const err35 = {instancePath:instancePath+"/routes/" + i0,schemaPath:"#/properties/routes/items/type",keyword:"type",params:{type: "object"},message:"must be object"};
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
const err36 = {instancePath:instancePath+"/routes",schemaPath:"#/properties/routes/type",keyword:"type",params:{type: "array"},message:"must be array"};
if(vErrors === null){
vErrors = [err36];
}
else {
vErrors.push(err36);
}
errors++;
}
}
if(data.messages !== undefined && func0.call(data, "messages")){
let data16 = data.messages;
if(Array.isArray(data16)){
const len1 = data16.length;
for(let i1=0; i1<len1; i1++){
let data17 = data16[i1];
if(data17 && typeof data17 == "object" && !Array.isArray(data17)){
if((data17.at === undefined) || (!(func0.call(data17, "at")))){
const err37 = {instancePath:instancePath+"/messages/" + i1,schemaPath:"#/properties/messages/items/required",keyword:"required",params:{missingProperty: "at"},message:"must have required property '"+"at"+"'"};
if(vErrors === null){
vErrors = [err37];
}
else {
vErrors.push(err37);
}
errors++;
}
for(const key3 of Object.keys(data17)){
if(!(func0.call(schema31.properties.messages.items.properties, key3))){
const err38 = {instancePath:instancePath+"/messages/" + i1,schemaPath:"#/properties/messages/items/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key3},message:"must NOT have additional properties"};
if(vErrors === null){
vErrors = [err38];
}
else {
vErrors.push(err38);
}
errors++;
}
}
if(data17.at !== undefined && func0.call(data17, "at")){
let data18 = data17.at;
if(!(((typeof data18 == "number") && (!(data18 % 1) && !isNaN(data18))) && (isFinite(data18)))){
const err39 = {instancePath:instancePath+"/messages/" + i1+"/at",schemaPath:"#/properties/messages/items/properties/at/type",keyword:"type",params:{type: "integer"},message:"must be integer"};
if(vErrors === null){
vErrors = [err39];
}
else {
vErrors.push(err39);
}
errors++;
}
if((typeof data18 == "number") && (isFinite(data18))){
if(data18 < 0 || isNaN(data18)){
const err40 = {instancePath:instancePath+"/messages/" + i1+"/at",schemaPath:"#/properties/messages/items/properties/at/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"};
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
if(data17.calls !== undefined && func0.call(data17, "calls")){
let data19 = data17.calls;
if(Array.isArray(data19)){
const len2 = data19.length;
for(let i2=0; i2<len2; i2++){
let data20 = data19[i2];
if(data20 && typeof data20 == "object" && !Array.isArray(data20)){
if((data20.id === undefined) || (!(func0.call(data20, "id")))){
const err41 = {instancePath:instancePath+"/messages/" + i1+"/calls/" + i2,schemaPath:"#/properties/messages/items/properties/calls/items/required",keyword:"required",params:{missingProperty: "id"},message:"must have required property '"+"id"+"'"};
if(vErrors === null){
vErrors = [err41];
}
else {
vErrors.push(err41);
}
errors++;
}
if((data20.tool === undefined) || (!(func0.call(data20, "tool")))){
const err42 = {instancePath:instancePath+"/messages/" + i1+"/calls/" + i2,schemaPath:"#/properties/messages/items/properties/calls/items/required",keyword:"required",params:{missingProperty: "tool"},message:"must have required property '"+"tool"+"'"};
if(vErrors === null){
vErrors = [err42];
}
else {
vErrors.push(err42);
}
errors++;
}
if((data20.args === undefined) || (!(func0.call(data20, "args")))){
const err43 = {instancePath:instancePath+"/messages/" + i1+"/calls/" + i2,schemaPath:"#/properties/messages/items/properties/calls/items/required",keyword:"required",params:{missingProperty: "args"},message:"must have required property '"+"args"+"'"};
if(vErrors === null){
vErrors = [err43];
}
else {
vErrors.push(err43);
}
errors++;
}
for(const key4 of Object.keys(data20)){
if(!((((((key4 === "id") || (key4 === "tool")) || (key4 === "args")) || (key4 === "malformed")) || (key4 === "fits")) || (key4 === "personal"))){
const err44 = {instancePath:instancePath+"/messages/" + i1+"/calls/" + i2,schemaPath:"#/properties/messages/items/properties/calls/items/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key4},message:"must NOT have additional properties"};
if(vErrors === null){
vErrors = [err44];
}
else {
vErrors.push(err44);
}
errors++;
}
}
if(data20.id !== undefined && func0.call(data20, "id")){
if(typeof data20.id !== "string"){
const err45 = {instancePath:instancePath+"/messages/" + i1+"/calls/" + i2+"/id",schemaPath:"#/properties/messages/items/properties/calls/items/properties/id/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err45];
}
else {
vErrors.push(err45);
}
errors++;
}
}
if(data20.tool !== undefined && func0.call(data20, "tool")){
if(typeof data20.tool !== "string"){
const err46 = {instancePath:instancePath+"/messages/" + i1+"/calls/" + i2+"/tool",schemaPath:"#/properties/messages/items/properties/calls/items/properties/tool/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err46];
}
else {
vErrors.push(err46);
}
errors++;
}
}
if(data20.args !== undefined && func0.call(data20, "args")){
let data23 = data20.args;
if(!(data23 && typeof data23 == "object" && !Array.isArray(data23))){
const err47 = {instancePath:instancePath+"/messages/" + i1+"/calls/" + i2+"/args",schemaPath:"#/properties/messages/items/properties/calls/items/properties/args/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err47];
}
else {
vErrors.push(err47);
}
errors++;
}
}
if(data20.malformed !== undefined && func0.call(data20, "malformed")){
if(typeof data20.malformed !== "string"){
const err48 = {instancePath:instancePath+"/messages/" + i1+"/calls/" + i2+"/malformed",schemaPath:"#/properties/messages/items/properties/calls/items/properties/malformed/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err48];
}
else {
vErrors.push(err48);
}
errors++;
}
}
if(data20.fits !== undefined && func0.call(data20, "fits")){
if(typeof data20.fits !== "boolean"){
const err49 = {instancePath:instancePath+"/messages/" + i1+"/calls/" + i2+"/fits",schemaPath:"#/properties/messages/items/properties/calls/items/properties/fits/type",keyword:"type",params:{type: "boolean"},message:"must be boolean"};
if(vErrors === null){
vErrors = [err49];
}
else {
vErrors.push(err49);
}
errors++;
}
}
if(data20.personal !== undefined && func0.call(data20, "personal")){
if(typeof data20.personal !== "boolean"){
const err50 = {instancePath:instancePath+"/messages/" + i1+"/calls/" + i2+"/personal",schemaPath:"#/properties/messages/items/properties/calls/items/properties/personal/type",keyword:"type",params:{type: "boolean"},message:"must be boolean"};
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
const err51 = {instancePath:instancePath+"/messages/" + i1+"/calls/" + i2,schemaPath:"#/properties/messages/items/properties/calls/items/type",keyword:"type",params:{type: "object"},message:"must be object"};
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
const err52 = {instancePath:instancePath+"/messages/" + i1+"/calls",schemaPath:"#/properties/messages/items/properties/calls/type",keyword:"type",params:{type: "array"},message:"must be array"};
if(vErrors === null){
vErrors = [err52];
}
else {
vErrors.push(err52);
}
errors++;
}
}
if(data17.opaque !== undefined && func0.call(data17, "opaque")){
let data27 = data17.opaque;
if(data27 && typeof data27 == "object" && !Array.isArray(data27)){
if((data27.provider === undefined) || (!(func0.call(data27, "provider")))){
const err53 = {instancePath:instancePath+"/messages/" + i1+"/opaque",schemaPath:"#/properties/messages/items/properties/opaque/required",keyword:"required",params:{missingProperty: "provider"},message:"must have required property '"+"provider"+"'"};
if(vErrors === null){
vErrors = [err53];
}
else {
vErrors.push(err53);
}
errors++;
}
if((data27.parts === undefined) || (!(func0.call(data27, "parts")))){
const err54 = {instancePath:instancePath+"/messages/" + i1+"/opaque",schemaPath:"#/properties/messages/items/properties/opaque/required",keyword:"required",params:{missingProperty: "parts"},message:"must have required property '"+"parts"+"'"};
if(vErrors === null){
vErrors = [err54];
}
else {
vErrors.push(err54);
}
errors++;
}
for(const key5 of Object.keys(data27)){
if(!((key5 === "provider") || (key5 === "parts"))){
const err55 = {instancePath:instancePath+"/messages/" + i1+"/opaque",schemaPath:"#/properties/messages/items/properties/opaque/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key5},message:"must NOT have additional properties"};
if(vErrors === null){
vErrors = [err55];
}
else {
vErrors.push(err55);
}
errors++;
}
}
if(data27.provider !== undefined && func0.call(data27, "provider")){
if(typeof data27.provider !== "string"){
const err56 = {instancePath:instancePath+"/messages/" + i1+"/opaque/provider",schemaPath:"#/properties/messages/items/properties/opaque/properties/provider/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err56];
}
else {
vErrors.push(err56);
}
errors++;
}
}
}
else {
const err57 = {instancePath:instancePath+"/messages/" + i1+"/opaque",schemaPath:"#/properties/messages/items/properties/opaque/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err57];
}
else {
vErrors.push(err57);
}
errors++;
}
}
if(data17.error !== undefined && func0.call(data17, "error")){
if(typeof data17.error !== "boolean"){
const err58 = {instancePath:instancePath+"/messages/" + i1+"/error",schemaPath:"#/properties/messages/items/properties/error/type",keyword:"type",params:{type: "boolean"},message:"must be boolean"};
if(vErrors === null){
vErrors = [err58];
}
else {
vErrors.push(err58);
}
errors++;
}
}
if(data17.open !== undefined && func0.call(data17, "open")){
if(typeof data17.open !== "boolean"){
const err59 = {instancePath:instancePath+"/messages/" + i1+"/open",schemaPath:"#/properties/messages/items/properties/open/type",keyword:"type",params:{type: "boolean"},message:"must be boolean"};
if(vErrors === null){
vErrors = [err59];
}
else {
vErrors.push(err59);
}
errors++;
}
}
if(data17.repair !== undefined && func0.call(data17, "repair")){
if(typeof data17.repair !== "boolean"){
const err60 = {instancePath:instancePath+"/messages/" + i1+"/repair",schemaPath:"#/properties/messages/items/properties/repair/type",keyword:"type",params:{type: "boolean"},message:"must be boolean"};
if(vErrors === null){
vErrors = [err60];
}
else {
vErrors.push(err60);
}
errors++;
}
}
if(data17.recalled !== undefined && func0.call(data17, "recalled")){
let data32 = data17.recalled;
if(Array.isArray(data32)){
const len3 = data32.length;
for(let i3=0; i3<len3; i3++){
if(typeof data32[i3] !== "string"){
const err61 = {instancePath:instancePath+"/messages/" + i1+"/recalled/" + i3,schemaPath:"#/properties/messages/items/properties/recalled/items/type",keyword:"type",params:{type: "string"},message:"must be string"};
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
const err62 = {instancePath:instancePath+"/messages/" + i1+"/recalled",schemaPath:"#/properties/messages/items/properties/recalled/type",keyword:"type",params:{type: "array"},message:"must be array"};
if(vErrors === null){
vErrors = [err62];
}
else {
vErrors.push(err62);
}
errors++;
}
}
if(data17.others !== undefined && func0.call(data17, "others")){
if(typeof data17.others !== "boolean"){
const err63 = {instancePath:instancePath+"/messages/" + i1+"/others",schemaPath:"#/properties/messages/items/properties/others/type",keyword:"type",params:{type: "boolean"},message:"must be boolean"};
if(vErrors === null){
vErrors = [err63];
}
else {
vErrors.push(err63);
}
errors++;
}
}
if(data17.triggered !== undefined && func0.call(data17, "triggered")){
if(typeof data17.triggered !== "boolean"){
const err64 = {instancePath:instancePath+"/messages/" + i1+"/triggered",schemaPath:"#/properties/messages/items/properties/triggered/type",keyword:"type",params:{type: "boolean"},message:"must be boolean"};
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
const err65 = {instancePath:instancePath+"/messages/" + i1,schemaPath:"#/properties/messages/items/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err65];
}
else {
vErrors.push(err65);
}
errors++;
}
}
}
else {
const err66 = {instancePath:instancePath+"/messages",schemaPath:"#/properties/messages/type",keyword:"type",params:{type: "array"},message:"must be array"};
if(vErrors === null){
vErrors = [err66];
}
else {
vErrors.push(err66);
}
errors++;
}
}
if(data.record_items !== undefined && func0.call(data, "record_items")){
let data36 = data.record_items;
if(Array.isArray(data36)){
const len4 = data36.length;
for(let i4=0; i4<len4; i4++){
let data37 = data36[i4];
if(data37 && typeof data37 == "object" && !Array.isArray(data37)){
if((data37.scope === undefined) || (!(func0.call(data37, "scope")))){
const err67 = {instancePath:instancePath+"/record_items/" + i4,schemaPath:"#/properties/record_items/items/required",keyword:"required",params:{missingProperty: "scope"},message:"must have required property '"+"scope"+"'"};
if(vErrors === null){
vErrors = [err67];
}
else {
vErrors.push(err67);
}
errors++;
}
if((data37.key === undefined) || (!(func0.call(data37, "key")))){
const err68 = {instancePath:instancePath+"/record_items/" + i4,schemaPath:"#/properties/record_items/items/required",keyword:"required",params:{missingProperty: "key"},message:"must have required property '"+"key"+"'"};
if(vErrors === null){
vErrors = [err68];
}
else {
vErrors.push(err68);
}
errors++;
}
for(const key6 of Object.keys(data37)){
if(!(((key6 === "scope") || (key6 === "key")) || (key6 === "passed"))){
const err69 = {instancePath:instancePath+"/record_items/" + i4,schemaPath:"#/properties/record_items/items/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key6},message:"must NOT have additional properties"};
if(vErrors === null){
vErrors = [err69];
}
else {
vErrors.push(err69);
}
errors++;
}
}
if(data37.scope !== undefined && func0.call(data37, "scope")){
if(typeof data37.scope !== "string"){
const err70 = {instancePath:instancePath+"/record_items/" + i4+"/scope",schemaPath:"#/properties/record_items/items/properties/scope/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err70];
}
else {
vErrors.push(err70);
}
errors++;
}
}
if(data37.key !== undefined && func0.call(data37, "key")){
if(typeof data37.key !== "string"){
const err71 = {instancePath:instancePath+"/record_items/" + i4+"/key",schemaPath:"#/properties/record_items/items/properties/key/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err71];
}
else {
vErrors.push(err71);
}
errors++;
}
}
if(data37.passed !== undefined && func0.call(data37, "passed")){
if(typeof data37.passed !== "boolean"){
const err72 = {instancePath:instancePath+"/record_items/" + i4+"/passed",schemaPath:"#/properties/record_items/items/properties/passed/type",keyword:"type",params:{type: "boolean"},message:"must be boolean"};
if(vErrors === null){
vErrors = [err72];
}
else {
vErrors.push(err72);
}
errors++;
}
}
}
else {
const err73 = {instancePath:instancePath+"/record_items/" + i4,schemaPath:"#/properties/record_items/items/type",keyword:"type",params:{type: "object"},message:"must be object"};
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
const err74 = {instancePath:instancePath+"/record_items",schemaPath:"#/properties/record_items/type",keyword:"type",params:{type: "array"},message:"must be array"};
if(vErrors === null){
vErrors = [err74];
}
else {
vErrors.push(err74);
}
errors++;
}
}
if(data.run !== undefined && func0.call(data, "run")){
let data41 = data.run;
if(data41 && typeof data41 == "object" && !Array.isArray(data41)){
if((data41.status === undefined) || (!(func0.call(data41, "status")))){
const err75 = {instancePath:instancePath+"/run",schemaPath:"#/properties/run/required",keyword:"required",params:{missingProperty: "status"},message:"must have required property '"+"status"+"'"};
if(vErrors === null){
vErrors = [err75];
}
else {
vErrors.push(err75);
}
errors++;
}
if((data41.turn === undefined) || (!(func0.call(data41, "turn")))){
const err76 = {instancePath:instancePath+"/run",schemaPath:"#/properties/run/required",keyword:"required",params:{missingProperty: "turn"},message:"must have required property '"+"turn"+"'"};
if(vErrors === null){
vErrors = [err76];
}
else {
vErrors.push(err76);
}
errors++;
}
if((data41.attempts === undefined) || (!(func0.call(data41, "attempts")))){
const err77 = {instancePath:instancePath+"/run",schemaPath:"#/properties/run/required",keyword:"required",params:{missingProperty: "attempts"},message:"must have required property '"+"attempts"+"'"};
if(vErrors === null){
vErrors = [err77];
}
else {
vErrors.push(err77);
}
errors++;
}
if((data41.attempt === undefined) || (!(func0.call(data41, "attempt")))){
const err78 = {instancePath:instancePath+"/run",schemaPath:"#/properties/run/required",keyword:"required",params:{missingProperty: "attempt"},message:"must have required property '"+"attempt"+"'"};
if(vErrors === null){
vErrors = [err78];
}
else {
vErrors.push(err78);
}
errors++;
}
if((data41.calls === undefined) || (!(func0.call(data41, "calls")))){
const err79 = {instancePath:instancePath+"/run",schemaPath:"#/properties/run/required",keyword:"required",params:{missingProperty: "calls"},message:"must have required property '"+"calls"+"'"};
if(vErrors === null){
vErrors = [err79];
}
else {
vErrors.push(err79);
}
errors++;
}
if((data41.steering === undefined) || (!(func0.call(data41, "steering")))){
const err80 = {instancePath:instancePath+"/run",schemaPath:"#/properties/run/required",keyword:"required",params:{missingProperty: "steering"},message:"must have required property '"+"steering"+"'"};
if(vErrors === null){
vErrors = [err80];
}
else {
vErrors.push(err80);
}
errors++;
}
if((data41.received === undefined) || (!(func0.call(data41, "received")))){
const err81 = {instancePath:instancePath+"/run",schemaPath:"#/properties/run/required",keyword:"required",params:{missingProperty: "received"},message:"must have required property '"+"received"+"'"};
if(vErrors === null){
vErrors = [err81];
}
else {
vErrors.push(err81);
}
errors++;
}
if((data41.turn_start === undefined) || (!(func0.call(data41, "turn_start")))){
const err82 = {instancePath:instancePath+"/run",schemaPath:"#/properties/run/required",keyword:"required",params:{missingProperty: "turn_start"},message:"must have required property '"+"turn_start"+"'"};
if(vErrors === null){
vErrors = [err82];
}
else {
vErrors.push(err82);
}
errors++;
}
if((data41.sent === undefined) || (!(func0.call(data41, "sent")))){
const err83 = {instancePath:instancePath+"/run",schemaPath:"#/properties/run/required",keyword:"required",params:{missingProperty: "sent"},message:"must have required property '"+"sent"+"'"};
if(vErrors === null){
vErrors = [err83];
}
else {
vErrors.push(err83);
}
errors++;
}
if((data41.unsettled === undefined) || (!(func0.call(data41, "unsettled")))){
const err84 = {instancePath:instancePath+"/run",schemaPath:"#/properties/run/required",keyword:"required",params:{missingProperty: "unsettled"},message:"must have required property '"+"unsettled"+"'"};
if(vErrors === null){
vErrors = [err84];
}
else {
vErrors.push(err84);
}
errors++;
}
if((data41.counted === undefined) || (!(func0.call(data41, "counted")))){
const err85 = {instancePath:instancePath+"/run",schemaPath:"#/properties/run/required",keyword:"required",params:{missingProperty: "counted"},message:"must have required property '"+"counted"+"'"};
if(vErrors === null){
vErrors = [err85];
}
else {
vErrors.push(err85);
}
errors++;
}
if((data41.stage === undefined) || (!(func0.call(data41, "stage")))){
const err86 = {instancePath:instancePath+"/run",schemaPath:"#/properties/run/required",keyword:"required",params:{missingProperty: "stage"},message:"must have required property '"+"stage"+"'"};
if(vErrors === null){
vErrors = [err86];
}
else {
vErrors.push(err86);
}
errors++;
}
if((data41.recalling === undefined) || (!(func0.call(data41, "recalling")))){
const err87 = {instancePath:instancePath+"/run",schemaPath:"#/properties/run/required",keyword:"required",params:{missingProperty: "recalling"},message:"must have required property '"+"recalling"+"'"};
if(vErrors === null){
vErrors = [err87];
}
else {
vErrors.push(err87);
}
errors++;
}
if((data41.started_at === undefined) || (!(func0.call(data41, "started_at")))){
const err88 = {instancePath:instancePath+"/run",schemaPath:"#/properties/run/required",keyword:"required",params:{missingProperty: "started_at"},message:"must have required property '"+"started_at"+"'"};
if(vErrors === null){
vErrors = [err88];
}
else {
vErrors.push(err88);
}
errors++;
}
if((data41.background === undefined) || (!(func0.call(data41, "background")))){
const err89 = {instancePath:instancePath+"/run",schemaPath:"#/properties/run/required",keyword:"required",params:{missingProperty: "background"},message:"must have required property '"+"background"+"'"};
if(vErrors === null){
vErrors = [err89];
}
else {
vErrors.push(err89);
}
errors++;
}
if((data41.input === undefined) || (!(func0.call(data41, "input")))){
const err90 = {instancePath:instancePath+"/run",schemaPath:"#/properties/run/required",keyword:"required",params:{missingProperty: "input"},message:"must have required property '"+"input"+"'"};
if(vErrors === null){
vErrors = [err90];
}
else {
vErrors.push(err90);
}
errors++;
}
if((data41.limits === undefined) || (!(func0.call(data41, "limits")))){
const err91 = {instancePath:instancePath+"/run",schemaPath:"#/properties/run/required",keyword:"required",params:{missingProperty: "limits"},message:"must have required property '"+"limits"+"'"};
if(vErrors === null){
vErrors = [err91];
}
else {
vErrors.push(err91);
}
errors++;
}
if((data41.trace_parent === undefined) || (!(func0.call(data41, "trace_parent")))){
const err92 = {instancePath:instancePath+"/run",schemaPath:"#/properties/run/required",keyword:"required",params:{missingProperty: "trace_parent"},message:"must have required property '"+"trace_parent"+"'"};
if(vErrors === null){
vErrors = [err92];
}
else {
vErrors.push(err92);
}
errors++;
}
if((data41.trace_state === undefined) || (!(func0.call(data41, "trace_state")))){
const err93 = {instancePath:instancePath+"/run",schemaPath:"#/properties/run/required",keyword:"required",params:{missingProperty: "trace_state"},message:"must have required property '"+"trace_state"+"'"};
if(vErrors === null){
vErrors = [err93];
}
else {
vErrors.push(err93);
}
errors++;
}
if((data41.depth === undefined) || (!(func0.call(data41, "depth")))){
const err94 = {instancePath:instancePath+"/run",schemaPath:"#/properties/run/required",keyword:"required",params:{missingProperty: "depth"},message:"must have required property '"+"depth"+"'"};
if(vErrors === null){
vErrors = [err94];
}
else {
vErrors.push(err94);
}
errors++;
}
if((data41.named === undefined) || (!(func0.call(data41, "named")))){
const err95 = {instancePath:instancePath+"/run",schemaPath:"#/properties/run/required",keyword:"required",params:{missingProperty: "named"},message:"must have required property '"+"named"+"'"};
if(vErrors === null){
vErrors = [err95];
}
else {
vErrors.push(err95);
}
errors++;
}
if((data41.triggered === undefined) || (!(func0.call(data41, "triggered")))){
const err96 = {instancePath:instancePath+"/run",schemaPath:"#/properties/run/required",keyword:"required",params:{missingProperty: "triggered"},message:"must have required property '"+"triggered"+"'"};
if(vErrors === null){
vErrors = [err96];
}
else {
vErrors.push(err96);
}
errors++;
}
if((data41.handed_off === undefined) || (!(func0.call(data41, "handed_off")))){
const err97 = {instancePath:instancePath+"/run",schemaPath:"#/properties/run/required",keyword:"required",params:{missingProperty: "handed_off"},message:"must have required property '"+"handed_off"+"'"};
if(vErrors === null){
vErrors = [err97];
}
else {
vErrors.push(err97);
}
errors++;
}
if((data41.review === undefined) || (!(func0.call(data41, "review")))){
const err98 = {instancePath:instancePath+"/run",schemaPath:"#/properties/run/required",keyword:"required",params:{missingProperty: "review"},message:"must have required property '"+"review"+"'"};
if(vErrors === null){
vErrors = [err98];
}
else {
vErrors.push(err98);
}
errors++;
}
if((data41.reviews === undefined) || (!(func0.call(data41, "reviews")))){
const err99 = {instancePath:instancePath+"/run",schemaPath:"#/properties/run/required",keyword:"required",params:{missingProperty: "reviews"},message:"must have required property '"+"reviews"+"'"};
if(vErrors === null){
vErrors = [err99];
}
else {
vErrors.push(err99);
}
errors++;
}
if((data41.start_hook_turn === undefined) || (!(func0.call(data41, "start_hook_turn")))){
const err100 = {instancePath:instancePath+"/run",schemaPath:"#/properties/run/required",keyword:"required",params:{missingProperty: "start_hook_turn"},message:"must have required property '"+"start_hook_turn"+"'"};
if(vErrors === null){
vErrors = [err100];
}
else {
vErrors.push(err100);
}
errors++;
}
if((data41.end_hook_turn === undefined) || (!(func0.call(data41, "end_hook_turn")))){
const err101 = {instancePath:instancePath+"/run",schemaPath:"#/properties/run/required",keyword:"required",params:{missingProperty: "end_hook_turn"},message:"must have required property '"+"end_hook_turn"+"'"};
if(vErrors === null){
vErrors = [err101];
}
else {
vErrors.push(err101);
}
errors++;
}
if((data41.tally === undefined) || (!(func0.call(data41, "tally")))){
const err102 = {instancePath:instancePath+"/run",schemaPath:"#/properties/run/required",keyword:"required",params:{missingProperty: "tally"},message:"must have required property '"+"tally"+"'"};
if(vErrors === null){
vErrors = [err102];
}
else {
vErrors.push(err102);
}
errors++;
}
if((data41.repairs === undefined) || (!(func0.call(data41, "repairs")))){
const err103 = {instancePath:instancePath+"/run",schemaPath:"#/properties/run/required",keyword:"required",params:{missingProperty: "repairs"},message:"must have required property '"+"repairs"+"'"};
if(vErrors === null){
vErrors = [err103];
}
else {
vErrors.push(err103);
}
errors++;
}
if((data41.down === undefined) || (!(func0.call(data41, "down")))){
const err104 = {instancePath:instancePath+"/run",schemaPath:"#/properties/run/required",keyword:"required",params:{missingProperty: "down"},message:"must have required property '"+"down"+"'"};
if(vErrors === null){
vErrors = [err104];
}
else {
vErrors.push(err104);
}
errors++;
}
if((data41.answered_by === undefined) || (!(func0.call(data41, "answered_by")))){
const err105 = {instancePath:instancePath+"/run",schemaPath:"#/properties/run/required",keyword:"required",params:{missingProperty: "answered_by"},message:"must have required property '"+"answered_by"+"'"};
if(vErrors === null){
vErrors = [err105];
}
else {
vErrors.push(err105);
}
errors++;
}
if((data41.totals === undefined) || (!(func0.call(data41, "totals")))){
const err106 = {instancePath:instancePath+"/run",schemaPath:"#/properties/run/required",keyword:"required",params:{missingProperty: "totals"},message:"must have required property '"+"totals"+"'"};
if(vErrors === null){
vErrors = [err106];
}
else {
vErrors.push(err106);
}
errors++;
}
if((data41.warnings === undefined) || (!(func0.call(data41, "warnings")))){
const err107 = {instancePath:instancePath+"/run",schemaPath:"#/properties/run/required",keyword:"required",params:{missingProperty: "warnings"},message:"must have required property '"+"warnings"+"'"};
if(vErrors === null){
vErrors = [err107];
}
else {
vErrors.push(err107);
}
errors++;
}
if((data41.agents === undefined) || (!(func0.call(data41, "agents")))){
const err108 = {instancePath:instancePath+"/run",schemaPath:"#/properties/run/required",keyword:"required",params:{missingProperty: "agents"},message:"must have required property '"+"agents"+"'"};
if(vErrors === null){
vErrors = [err108];
}
else {
vErrors.push(err108);
}
errors++;
}
if((data41.partial === undefined) || (!(func0.call(data41, "partial")))){
const err109 = {instancePath:instancePath+"/run",schemaPath:"#/properties/run/required",keyword:"required",params:{missingProperty: "partial"},message:"must have required property '"+"partial"+"'"};
if(vErrors === null){
vErrors = [err109];
}
else {
vErrors.push(err109);
}
errors++;
}
if((data41.end === undefined) || (!(func0.call(data41, "end")))){
const err110 = {instancePath:instancePath+"/run",schemaPath:"#/properties/run/required",keyword:"required",params:{missingProperty: "end"},message:"must have required property '"+"end"+"'"};
if(vErrors === null){
vErrors = [err110];
}
else {
vErrors.push(err110);
}
errors++;
}
if((data41.ending === undefined) || (!(func0.call(data41, "ending")))){
const err111 = {instancePath:instancePath+"/run",schemaPath:"#/properties/run/required",keyword:"required",params:{missingProperty: "ending"},message:"must have required property '"+"ending"+"'"};
if(vErrors === null){
vErrors = [err111];
}
else {
vErrors.push(err111);
}
errors++;
}
if((data41.sent_by_origin === undefined) || (!(func0.call(data41, "sent_by_origin")))){
const err112 = {instancePath:instancePath+"/run",schemaPath:"#/properties/run/required",keyword:"required",params:{missingProperty: "sent_by_origin"},message:"must have required property '"+"sent_by_origin"+"'"};
if(vErrors === null){
vErrors = [err112];
}
else {
vErrors.push(err112);
}
errors++;
}
for(const key7 of Object.keys(data41)){
if(!(func0.call(schema31.properties.run.properties, key7))){
const err113 = {instancePath:instancePath+"/run",schemaPath:"#/properties/run/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key7},message:"must NOT have additional properties"};
if(vErrors === null){
vErrors = [err113];
}
else {
vErrors.push(err113);
}
errors++;
}
}
if(data41.status !== undefined && func0.call(data41, "status")){
let data42 = data41.status;
if(typeof data42 !== "string"){
const err114 = {instancePath:instancePath+"/run/status",schemaPath:"#/properties/run/properties/status/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err114];
}
else {
vErrors.push(err114);
}
errors++;
}
if(!(((((((data42 === "running") || (data42 === "waiting")) || (data42 === "paused")) || (data42 === "completed")) || (data42 === "failed")) || (data42 === "refused")) || (data42 === "cancelled"))){
const err115 = {instancePath:instancePath+"/run/status",schemaPath:"#/properties/run/properties/status/enum",keyword:"enum",params:{allowedValues: schema31.properties.run.properties.status.enum},message:"must be equal to one of the allowed values"};
if(vErrors === null){
vErrors = [err115];
}
else {
vErrors.push(err115);
}
errors++;
}
}
if(data41.turn !== undefined && func0.call(data41, "turn")){
let data43 = data41.turn;
if(!(((typeof data43 == "number") && (!(data43 % 1) && !isNaN(data43))) && (isFinite(data43)))){
const err116 = {instancePath:instancePath+"/run/turn",schemaPath:"#/properties/run/properties/turn/type",keyword:"type",params:{type: "integer"},message:"must be integer"};
if(vErrors === null){
vErrors = [err116];
}
else {
vErrors.push(err116);
}
errors++;
}
if((typeof data43 == "number") && (isFinite(data43))){
if(data43 < 0 || isNaN(data43)){
const err117 = {instancePath:instancePath+"/run/turn",schemaPath:"#/properties/run/properties/turn/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"};
if(vErrors === null){
vErrors = [err117];
}
else {
vErrors.push(err117);
}
errors++;
}
}
}
if(data41.deadline_of !== undefined && func0.call(data41, "deadline_of")){
let data44 = data41.deadline_of;
if(typeof data44 !== "string"){
const err118 = {instancePath:instancePath+"/run/deadline_of",schemaPath:"#/properties/run/properties/deadline_of/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err118];
}
else {
vErrors.push(err118);
}
errors++;
}
if(!((data44 === "runtime") || (data44 === "budget"))){
const err119 = {instancePath:instancePath+"/run/deadline_of",schemaPath:"#/properties/run/properties/deadline_of/enum",keyword:"enum",params:{allowedValues: schema31.properties.run.properties.deadline_of.enum},message:"must be equal to one of the allowed values"};
if(vErrors === null){
vErrors = [err119];
}
else {
vErrors.push(err119);
}
errors++;
}
}
if(data41.attempts !== undefined && func0.call(data41, "attempts")){
let data45 = data41.attempts;
if(!(((typeof data45 == "number") && (!(data45 % 1) && !isNaN(data45))) && (isFinite(data45)))){
const err120 = {instancePath:instancePath+"/run/attempts",schemaPath:"#/properties/run/properties/attempts/type",keyword:"type",params:{type: "integer"},message:"must be integer"};
if(vErrors === null){
vErrors = [err120];
}
else {
vErrors.push(err120);
}
errors++;
}
if((typeof data45 == "number") && (isFinite(data45))){
if(data45 < 0 || isNaN(data45)){
const err121 = {instancePath:instancePath+"/run/attempts",schemaPath:"#/properties/run/properties/attempts/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"};
if(vErrors === null){
vErrors = [err121];
}
else {
vErrors.push(err121);
}
errors++;
}
}
}
if(data41.attempt !== undefined && func0.call(data41, "attempt")){
let data46 = data41.attempt;
const _errs105 = errors;
let valid19 = false;
const _errs106 = errors;
if(data46 && typeof data46 == "object" && !Array.isArray(data46)){
if((data46.n === undefined) || (!(func0.call(data46, "n")))){
const err122 = {instancePath:instancePath+"/run/attempt",schemaPath:"#/properties/run/properties/attempt/anyOf/0/required",keyword:"required",params:{missingProperty: "n"},message:"must have required property '"+"n"+"'"};
if(vErrors === null){
vErrors = [err122];
}
else {
vErrors.push(err122);
}
errors++;
}
if((data46.route === undefined) || (!(func0.call(data46, "route")))){
const err123 = {instancePath:instancePath+"/run/attempt",schemaPath:"#/properties/run/properties/attempt/anyOf/0/required",keyword:"required",params:{missingProperty: "route"},message:"must have required property '"+"route"+"'"};
if(vErrors === null){
vErrors = [err123];
}
else {
vErrors.push(err123);
}
errors++;
}
if((data46.retry === undefined) || (!(func0.call(data46, "retry")))){
const err124 = {instancePath:instancePath+"/run/attempt",schemaPath:"#/properties/run/properties/attempt/anyOf/0/required",keyword:"required",params:{missingProperty: "retry"},message:"must have required property '"+"retry"+"'"};
if(vErrors === null){
vErrors = [err124];
}
else {
vErrors.push(err124);
}
errors++;
}
if((data46.delay_ms === undefined) || (!(func0.call(data46, "delay_ms")))){
const err125 = {instancePath:instancePath+"/run/attempt",schemaPath:"#/properties/run/properties/attempt/anyOf/0/required",keyword:"required",params:{missingProperty: "delay_ms"},message:"must have required property '"+"delay_ms"+"'"};
if(vErrors === null){
vErrors = [err125];
}
else {
vErrors.push(err125);
}
errors++;
}
if((data46.failed === undefined) || (!(func0.call(data46, "failed")))){
const err126 = {instancePath:instancePath+"/run/attempt",schemaPath:"#/properties/run/properties/attempt/anyOf/0/required",keyword:"required",params:{missingProperty: "failed"},message:"must have required property '"+"failed"+"'"};
if(vErrors === null){
vErrors = [err126];
}
else {
vErrors.push(err126);
}
errors++;
}
for(const key8 of Object.keys(data46)){
if(!(func0.call(schema31.properties.run.properties.attempt.anyOf[0].properties, key8))){
const err127 = {instancePath:instancePath+"/run/attempt",schemaPath:"#/properties/run/properties/attempt/anyOf/0/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key8},message:"must NOT have additional properties"};
if(vErrors === null){
vErrors = [err127];
}
else {
vErrors.push(err127);
}
errors++;
}
}
if(data46.n !== undefined && func0.call(data46, "n")){
let data47 = data46.n;
if(!(((typeof data47 == "number") && (!(data47 % 1) && !isNaN(data47))) && (isFinite(data47)))){
const err128 = {instancePath:instancePath+"/run/attempt/n",schemaPath:"#/properties/run/properties/attempt/anyOf/0/properties/n/type",keyword:"type",params:{type: "integer"},message:"must be integer"};
if(vErrors === null){
vErrors = [err128];
}
else {
vErrors.push(err128);
}
errors++;
}
if((typeof data47 == "number") && (isFinite(data47))){
if(data47 < 0 || isNaN(data47)){
const err129 = {instancePath:instancePath+"/run/attempt/n",schemaPath:"#/properties/run/properties/attempt/anyOf/0/properties/n/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"};
if(vErrors === null){
vErrors = [err129];
}
else {
vErrors.push(err129);
}
errors++;
}
}
}
if(data46.route !== undefined && func0.call(data46, "route")){
let data48 = data46.route;
if(!(((typeof data48 == "number") && (!(data48 % 1) && !isNaN(data48))) && (isFinite(data48)))){
const err130 = {instancePath:instancePath+"/run/attempt/route",schemaPath:"#/properties/run/properties/attempt/anyOf/0/properties/route/type",keyword:"type",params:{type: "integer"},message:"must be integer"};
if(vErrors === null){
vErrors = [err130];
}
else {
vErrors.push(err130);
}
errors++;
}
if((typeof data48 == "number") && (isFinite(data48))){
if(data48 < 0 || isNaN(data48)){
const err131 = {instancePath:instancePath+"/run/attempt/route",schemaPath:"#/properties/run/properties/attempt/anyOf/0/properties/route/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"};
if(vErrors === null){
vErrors = [err131];
}
else {
vErrors.push(err131);
}
errors++;
}
}
}
if(data46.retry !== undefined && func0.call(data46, "retry")){
let data49 = data46.retry;
if(!(((typeof data49 == "number") && (!(data49 % 1) && !isNaN(data49))) && (isFinite(data49)))){
const err132 = {instancePath:instancePath+"/run/attempt/retry",schemaPath:"#/properties/run/properties/attempt/anyOf/0/properties/retry/type",keyword:"type",params:{type: "integer"},message:"must be integer"};
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
const err133 = {instancePath:instancePath+"/run/attempt/retry",schemaPath:"#/properties/run/properties/attempt/anyOf/0/properties/retry/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"};
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
if(data46.delay_ms !== undefined && func0.call(data46, "delay_ms")){
let data50 = data46.delay_ms;
if((typeof data50 == "number") && (isFinite(data50))){
if(data50 < 0 || isNaN(data50)){
const err134 = {instancePath:instancePath+"/run/attempt/delay_ms",schemaPath:"#/properties/run/properties/attempt/anyOf/0/properties/delay_ms/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"};
if(vErrors === null){
vErrors = [err134];
}
else {
vErrors.push(err134);
}
errors++;
}
}
else {
const err135 = {instancePath:instancePath+"/run/attempt/delay_ms",schemaPath:"#/properties/run/properties/attempt/anyOf/0/properties/delay_ms/type",keyword:"type",params:{type: "number"},message:"must be number"};
if(vErrors === null){
vErrors = [err135];
}
else {
vErrors.push(err135);
}
errors++;
}
}
if(data46.due_at !== undefined && func0.call(data46, "due_at")){
let data51 = data46.due_at;
if((typeof data51 == "number") && (isFinite(data51))){
if(data51 < 0 || isNaN(data51)){
const err136 = {instancePath:instancePath+"/run/attempt/due_at",schemaPath:"#/properties/run/properties/attempt/anyOf/0/properties/due_at/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"};
if(vErrors === null){
vErrors = [err136];
}
else {
vErrors.push(err136);
}
errors++;
}
}
else {
const err137 = {instancePath:instancePath+"/run/attempt/due_at",schemaPath:"#/properties/run/properties/attempt/anyOf/0/properties/due_at/type",keyword:"type",params:{type: "number"},message:"must be number"};
if(vErrors === null){
vErrors = [err137];
}
else {
vErrors.push(err137);
}
errors++;
}
}
if(data46.continues !== undefined && func0.call(data46, "continues")){
if(typeof data46.continues !== "boolean"){
const err138 = {instancePath:instancePath+"/run/attempt/continues",schemaPath:"#/properties/run/properties/attempt/anyOf/0/properties/continues/type",keyword:"type",params:{type: "boolean"},message:"must be boolean"};
if(vErrors === null){
vErrors = [err138];
}
else {
vErrors.push(err138);
}
errors++;
}
}
if(data46.failed !== undefined && func0.call(data46, "failed")){
let data53 = data46.failed;
if(Array.isArray(data53)){
const len5 = data53.length;
for(let i5=0; i5<len5; i5++){
let data54 = data53[i5];
if(data54 && typeof data54 == "object" && !Array.isArray(data54)){
if((data54.route === undefined) || (!(func0.call(data54, "route")))){
const err139 = {instancePath:instancePath+"/run/attempt/failed/" + i5,schemaPath:"#/properties/run/properties/attempt/anyOf/0/properties/failed/items/required",keyword:"required",params:{missingProperty: "route"},message:"must have required property '"+"route"+"'"};
if(vErrors === null){
vErrors = [err139];
}
else {
vErrors.push(err139);
}
errors++;
}
if((data54.code === undefined) || (!(func0.call(data54, "code")))){
const err140 = {instancePath:instancePath+"/run/attempt/failed/" + i5,schemaPath:"#/properties/run/properties/attempt/anyOf/0/properties/failed/items/required",keyword:"required",params:{missingProperty: "code"},message:"must have required property '"+"code"+"'"};
if(vErrors === null){
vErrors = [err140];
}
else {
vErrors.push(err140);
}
errors++;
}
if((data54.message === undefined) || (!(func0.call(data54, "message")))){
const err141 = {instancePath:instancePath+"/run/attempt/failed/" + i5,schemaPath:"#/properties/run/properties/attempt/anyOf/0/properties/failed/items/required",keyword:"required",params:{missingProperty: "message"},message:"must have required property '"+"message"+"'"};
if(vErrors === null){
vErrors = [err141];
}
else {
vErrors.push(err141);
}
errors++;
}
for(const key9 of Object.keys(data54)){
if(!((((key9 === "route") || (key9 === "code")) || (key9 === "message")) || (key9 === "hint"))){
const err142 = {instancePath:instancePath+"/run/attempt/failed/" + i5,schemaPath:"#/properties/run/properties/attempt/anyOf/0/properties/failed/items/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key9},message:"must NOT have additional properties"};
if(vErrors === null){
vErrors = [err142];
}
else {
vErrors.push(err142);
}
errors++;
}
}
if(data54.route !== undefined && func0.call(data54, "route")){
let data55 = data54.route;
if(!(((typeof data55 == "number") && (!(data55 % 1) && !isNaN(data55))) && (isFinite(data55)))){
const err143 = {instancePath:instancePath+"/run/attempt/failed/" + i5+"/route",schemaPath:"#/properties/run/properties/attempt/anyOf/0/properties/failed/items/properties/route/type",keyword:"type",params:{type: "integer"},message:"must be integer"};
if(vErrors === null){
vErrors = [err143];
}
else {
vErrors.push(err143);
}
errors++;
}
if((typeof data55 == "number") && (isFinite(data55))){
if(data55 < 0 || isNaN(data55)){
const err144 = {instancePath:instancePath+"/run/attempt/failed/" + i5+"/route",schemaPath:"#/properties/run/properties/attempt/anyOf/0/properties/failed/items/properties/route/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"};
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
if(data54.code !== undefined && func0.call(data54, "code")){
if(typeof data54.code !== "string"){
const err145 = {instancePath:instancePath+"/run/attempt/failed/" + i5+"/code",schemaPath:"#/properties/run/properties/attempt/anyOf/0/properties/failed/items/properties/code/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err145];
}
else {
vErrors.push(err145);
}
errors++;
}
}
if(data54.message !== undefined && func0.call(data54, "message")){
if(typeof data54.message !== "string"){
const err146 = {instancePath:instancePath+"/run/attempt/failed/" + i5+"/message",schemaPath:"#/properties/run/properties/attempt/anyOf/0/properties/failed/items/properties/message/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err146];
}
else {
vErrors.push(err146);
}
errors++;
}
}
if(data54.hint !== undefined && func0.call(data54, "hint")){
if(typeof data54.hint !== "string"){
const err147 = {instancePath:instancePath+"/run/attempt/failed/" + i5+"/hint",schemaPath:"#/properties/run/properties/attempt/anyOf/0/properties/failed/items/properties/hint/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err147];
}
else {
vErrors.push(err147);
}
errors++;
}
}
}
else {
const err148 = {instancePath:instancePath+"/run/attempt/failed/" + i5,schemaPath:"#/properties/run/properties/attempt/anyOf/0/properties/failed/items/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err148];
}
else {
vErrors.push(err148);
}
errors++;
}
}
}
else {
const err149 = {instancePath:instancePath+"/run/attempt/failed",schemaPath:"#/properties/run/properties/attempt/anyOf/0/properties/failed/type",keyword:"type",params:{type: "array"},message:"must be array"};
if(vErrors === null){
vErrors = [err149];
}
else {
vErrors.push(err149);
}
errors++;
}
}
if(data46.why !== undefined && func0.call(data46, "why")){
if(typeof data46.why !== "string"){
const err150 = {instancePath:instancePath+"/run/attempt/why",schemaPath:"#/properties/run/properties/attempt/anyOf/0/properties/why/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err150];
}
else {
vErrors.push(err150);
}
errors++;
}
}
if(data46.skipped !== undefined && func0.call(data46, "skipped")){
let data60 = data46.skipped;
if(Array.isArray(data60)){
const len6 = data60.length;
for(let i6=0; i6<len6; i6++){
let data61 = data60[i6];
if(data61 && typeof data61 == "object" && !Array.isArray(data61)){
if((data61.route === undefined) || (!(func0.call(data61, "route")))){
const err151 = {instancePath:instancePath+"/run/attempt/skipped/" + i6,schemaPath:"#/properties/run/properties/attempt/anyOf/0/properties/skipped/items/required",keyword:"required",params:{missingProperty: "route"},message:"must have required property '"+"route"+"'"};
if(vErrors === null){
vErrors = [err151];
}
else {
vErrors.push(err151);
}
errors++;
}
if((data61.reason === undefined) || (!(func0.call(data61, "reason")))){
const err152 = {instancePath:instancePath+"/run/attempt/skipped/" + i6,schemaPath:"#/properties/run/properties/attempt/anyOf/0/properties/skipped/items/required",keyword:"required",params:{missingProperty: "reason"},message:"must have required property '"+"reason"+"'"};
if(vErrors === null){
vErrors = [err152];
}
else {
vErrors.push(err152);
}
errors++;
}
for(const key10 of Object.keys(data61)){
if(!((key10 === "route") || (key10 === "reason"))){
const err153 = {instancePath:instancePath+"/run/attempt/skipped/" + i6,schemaPath:"#/properties/run/properties/attempt/anyOf/0/properties/skipped/items/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key10},message:"must NOT have additional properties"};
if(vErrors === null){
vErrors = [err153];
}
else {
vErrors.push(err153);
}
errors++;
}
}
if(data61.route !== undefined && func0.call(data61, "route")){
let data62 = data61.route;
if(!(((typeof data62 == "number") && (!(data62 % 1) && !isNaN(data62))) && (isFinite(data62)))){
const err154 = {instancePath:instancePath+"/run/attempt/skipped/" + i6+"/route",schemaPath:"#/properties/run/properties/attempt/anyOf/0/properties/skipped/items/properties/route/type",keyword:"type",params:{type: "integer"},message:"must be integer"};
if(vErrors === null){
vErrors = [err154];
}
else {
vErrors.push(err154);
}
errors++;
}
if((typeof data62 == "number") && (isFinite(data62))){
if(data62 < 0 || isNaN(data62)){
const err155 = {instancePath:instancePath+"/run/attempt/skipped/" + i6+"/route",schemaPath:"#/properties/run/properties/attempt/anyOf/0/properties/skipped/items/properties/route/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"};
if(vErrors === null){
vErrors = [err155];
}
else {
vErrors.push(err155);
}
errors++;
}
}
}
if(data61.reason !== undefined && func0.call(data61, "reason")){
if(typeof data61.reason !== "string"){
const err156 = {instancePath:instancePath+"/run/attempt/skipped/" + i6+"/reason",schemaPath:"#/properties/run/properties/attempt/anyOf/0/properties/skipped/items/properties/reason/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err156];
}
else {
vErrors.push(err156);
}
errors++;
}
}
}
else {
const err157 = {instancePath:instancePath+"/run/attempt/skipped/" + i6,schemaPath:"#/properties/run/properties/attempt/anyOf/0/properties/skipped/items/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err157];
}
else {
vErrors.push(err157);
}
errors++;
}
}
}
else {
const err158 = {instancePath:instancePath+"/run/attempt/skipped",schemaPath:"#/properties/run/properties/attempt/anyOf/0/properties/skipped/type",keyword:"type",params:{type: "array"},message:"must be array"};
if(vErrors === null){
vErrors = [err158];
}
else {
vErrors.push(err158);
}
errors++;
}
}
if(data46.prompt_tokens !== undefined && func0.call(data46, "prompt_tokens")){
let data64 = data46.prompt_tokens;
if(!(((typeof data64 == "number") && (!(data64 % 1) && !isNaN(data64))) && (isFinite(data64)))){
const err159 = {instancePath:instancePath+"/run/attempt/prompt_tokens",schemaPath:"#/properties/run/properties/attempt/anyOf/0/properties/prompt_tokens/type",keyword:"type",params:{type: "integer"},message:"must be integer"};
if(vErrors === null){
vErrors = [err159];
}
else {
vErrors.push(err159);
}
errors++;
}
if((typeof data64 == "number") && (isFinite(data64))){
if(data64 < 0 || isNaN(data64)){
const err160 = {instancePath:instancePath+"/run/attempt/prompt_tokens",schemaPath:"#/properties/run/properties/attempt/anyOf/0/properties/prompt_tokens/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"};
if(vErrors === null){
vErrors = [err160];
}
else {
vErrors.push(err160);
}
errors++;
}
}
}
}
else {
const err161 = {instancePath:instancePath+"/run/attempt",schemaPath:"#/properties/run/properties/attempt/anyOf/0/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err161];
}
else {
vErrors.push(err161);
}
errors++;
}
var _valid1 = _errs106 === errors;
valid19 = valid19 || _valid1;
const _errs147 = errors;
if(data46 !== null){
const err162 = {instancePath:instancePath+"/run/attempt",schemaPath:"#/properties/run/properties/attempt/anyOf/1/type",keyword:"type",params:{type: "null"},message:"must be null"};
if(vErrors === null){
vErrors = [err162];
}
else {
vErrors.push(err162);
}
errors++;
}
var _valid1 = _errs147 === errors;
valid19 = valid19 || _valid1;
if(!valid19){
const err163 = {instancePath:instancePath+"/run/attempt",schemaPath:"#/properties/run/properties/attempt/anyOf",keyword:"anyOf",params:{},message:"must match a schema in anyOf"};
if(vErrors === null){
vErrors = [err163];
}
else {
vErrors.push(err163);
}
errors++;
}
else {
errors = _errs105;
if(vErrors !== null){
if(_errs105){
vErrors.length = _errs105;
}
else {
vErrors = null;
}
}
}
}
if(data41.calls !== undefined && func0.call(data41, "calls")){
let data65 = data41.calls;
if(Array.isArray(data65)){
const len7 = data65.length;
for(let i7=0; i7<len7; i7++){
let data66 = data65[i7];
if(data66 && typeof data66 == "object" && !Array.isArray(data66)){
if((data66.id === undefined) || (!(func0.call(data66, "id")))){
const err164 = {instancePath:instancePath+"/run/calls/" + i7,schemaPath:"#/properties/run/properties/calls/items/required",keyword:"required",params:{missingProperty: "id"},message:"must have required property '"+"id"+"'"};
if(vErrors === null){
vErrors = [err164];
}
else {
vErrors.push(err164);
}
errors++;
}
if((data66.tool === undefined) || (!(func0.call(data66, "tool")))){
const err165 = {instancePath:instancePath+"/run/calls/" + i7,schemaPath:"#/properties/run/properties/calls/items/required",keyword:"required",params:{missingProperty: "tool"},message:"must have required property '"+"tool"+"'"};
if(vErrors === null){
vErrors = [err165];
}
else {
vErrors.push(err165);
}
errors++;
}
if((data66.args === undefined) || (!(func0.call(data66, "args")))){
const err166 = {instancePath:instancePath+"/run/calls/" + i7,schemaPath:"#/properties/run/properties/calls/items/required",keyword:"required",params:{missingProperty: "args"},message:"must have required property '"+"args"+"'"};
if(vErrors === null){
vErrors = [err166];
}
else {
vErrors.push(err166);
}
errors++;
}
if((data66.key === undefined) || (!(func0.call(data66, "key")))){
const err167 = {instancePath:instancePath+"/run/calls/" + i7,schemaPath:"#/properties/run/properties/calls/items/required",keyword:"required",params:{missingProperty: "key"},message:"must have required property '"+"key"+"'"};
if(vErrors === null){
vErrors = [err167];
}
else {
vErrors.push(err167);
}
errors++;
}
if((data66.effect === undefined) || (!(func0.call(data66, "effect")))){
const err168 = {instancePath:instancePath+"/run/calls/" + i7,schemaPath:"#/properties/run/properties/calls/items/required",keyword:"required",params:{missingProperty: "effect"},message:"must have required property '"+"effect"+"'"};
if(vErrors === null){
vErrors = [err168];
}
else {
vErrors.push(err168);
}
errors++;
}
if((data66.status === undefined) || (!(func0.call(data66, "status")))){
const err169 = {instancePath:instancePath+"/run/calls/" + i7,schemaPath:"#/properties/run/properties/calls/items/required",keyword:"required",params:{missingProperty: "status"},message:"must have required property '"+"status"+"'"};
if(vErrors === null){
vErrors = [err169];
}
else {
vErrors.push(err169);
}
errors++;
}
for(const key11 of Object.keys(data66)){
if(!(func0.call(schema31.properties.run.properties.calls.items.properties, key11))){
const err170 = {instancePath:instancePath+"/run/calls/" + i7,schemaPath:"#/properties/run/properties/calls/items/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key11},message:"must NOT have additional properties"};
if(vErrors === null){
vErrors = [err170];
}
else {
vErrors.push(err170);
}
errors++;
}
}
if(data66.id !== undefined && func0.call(data66, "id")){
if(typeof data66.id !== "string"){
const err171 = {instancePath:instancePath+"/run/calls/" + i7+"/id",schemaPath:"#/properties/run/properties/calls/items/properties/id/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err171];
}
else {
vErrors.push(err171);
}
errors++;
}
}
if(data66.tool !== undefined && func0.call(data66, "tool")){
if(typeof data66.tool !== "string"){
const err172 = {instancePath:instancePath+"/run/calls/" + i7+"/tool",schemaPath:"#/properties/run/properties/calls/items/properties/tool/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err172];
}
else {
vErrors.push(err172);
}
errors++;
}
}
if(data66.args !== undefined && func0.call(data66, "args")){
let data69 = data66.args;
if(!(data69 && typeof data69 == "object" && !Array.isArray(data69))){
const err173 = {instancePath:instancePath+"/run/calls/" + i7+"/args",schemaPath:"#/properties/run/properties/calls/items/properties/args/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err173];
}
else {
vErrors.push(err173);
}
errors++;
}
}
if(data66.key !== undefined && func0.call(data66, "key")){
if(typeof data66.key !== "string"){
const err174 = {instancePath:instancePath+"/run/calls/" + i7+"/key",schemaPath:"#/properties/run/properties/calls/items/properties/key/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err174];
}
else {
vErrors.push(err174);
}
errors++;
}
}
if(data66.effect !== undefined && func0.call(data66, "effect")){
let data71 = data66.effect;
if(typeof data71 !== "string"){
const err175 = {instancePath:instancePath+"/run/calls/" + i7+"/effect",schemaPath:"#/properties/run/properties/calls/items/properties/effect/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err175];
}
else {
vErrors.push(err175);
}
errors++;
}
if(!(((data71 === "none") || (data71 === "idempotent")) || (data71 === "once"))){
const err176 = {instancePath:instancePath+"/run/calls/" + i7+"/effect",schemaPath:"#/properties/run/properties/calls/items/properties/effect/enum",keyword:"enum",params:{allowedValues: schema31.properties.run.properties.calls.items.properties.effect.enum},message:"must be equal to one of the allowed values"};
if(vErrors === null){
vErrors = [err176];
}
else {
vErrors.push(err176);
}
errors++;
}
}
if(data66.status !== undefined && func0.call(data66, "status")){
let data72 = data66.status;
if(typeof data72 !== "string"){
const err177 = {instancePath:instancePath+"/run/calls/" + i7+"/status",schemaPath:"#/properties/run/properties/calls/items/properties/status/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err177];
}
else {
vErrors.push(err177);
}
errors++;
}
if(!((((((((data72 === "queued") || (data72 === "judging")) || (data72 === "asking")) || (data72 === "input_required")) || (data72 === "held")) || (data72 === "sent")) || (data72 === "unknown")) || (data72 === "done"))){
const err178 = {instancePath:instancePath+"/run/calls/" + i7+"/status",schemaPath:"#/properties/run/properties/calls/items/properties/status/enum",keyword:"enum",params:{allowedValues: schema31.properties.run.properties.calls.items.properties.status.enum},message:"must be equal to one of the allowed values"};
if(vErrors === null){
vErrors = [err178];
}
else {
vErrors.push(err178);
}
errors++;
}
}
if(data66.unasked !== undefined && func0.call(data66, "unasked")){
if(typeof data66.unasked !== "boolean"){
const err179 = {instancePath:instancePath+"/run/calls/" + i7+"/unasked",schemaPath:"#/properties/run/properties/calls/items/properties/unasked/type",keyword:"type",params:{type: "boolean"},message:"must be boolean"};
if(vErrors === null){
vErrors = [err179];
}
else {
vErrors.push(err179);
}
errors++;
}
}
if(data66.error !== undefined && func0.call(data66, "error")){
if(typeof data66.error !== "boolean"){
const err180 = {instancePath:instancePath+"/run/calls/" + i7+"/error",schemaPath:"#/properties/run/properties/calls/items/properties/error/type",keyword:"type",params:{type: "boolean"},message:"must be boolean"};
if(vErrors === null){
vErrors = [err180];
}
else {
vErrors.push(err180);
}
errors++;
}
}
if(data66.asked_at !== undefined && func0.call(data66, "asked_at")){
let data75 = data66.asked_at;
if((typeof data75 == "number") && (isFinite(data75))){
if(data75 < 0 || isNaN(data75)){
const err181 = {instancePath:instancePath+"/run/calls/" + i7+"/asked_at",schemaPath:"#/properties/run/properties/calls/items/properties/asked_at/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"};
if(vErrors === null){
vErrors = [err181];
}
else {
vErrors.push(err181);
}
errors++;
}
}
else {
const err182 = {instancePath:instancePath+"/run/calls/" + i7+"/asked_at",schemaPath:"#/properties/run/properties/calls/items/properties/asked_at/type",keyword:"type",params:{type: "number"},message:"must be number"};
if(vErrors === null){
vErrors = [err182];
}
else {
vErrors.push(err182);
}
errors++;
}
}
if(data66.unsettled !== undefined && func0.call(data66, "unsettled")){
if(typeof data66.unsettled !== "boolean"){
const err183 = {instancePath:instancePath+"/run/calls/" + i7+"/unsettled",schemaPath:"#/properties/run/properties/calls/items/properties/unsettled/type",keyword:"type",params:{type: "boolean"},message:"must be boolean"};
if(vErrors === null){
vErrors = [err183];
}
else {
vErrors.push(err183);
}
errors++;
}
}
if(data66.by_origin !== undefined && func0.call(data66, "by_origin")){
if(typeof data66.by_origin !== "boolean"){
const err184 = {instancePath:instancePath+"/run/calls/" + i7+"/by_origin",schemaPath:"#/properties/run/properties/calls/items/properties/by_origin/type",keyword:"type",params:{type: "boolean"},message:"must be boolean"};
if(vErrors === null){
vErrors = [err184];
}
else {
vErrors.push(err184);
}
errors++;
}
}
if(data66.why !== undefined && func0.call(data66, "why")){
if(typeof data66.why !== "string"){
const err185 = {instancePath:instancePath+"/run/calls/" + i7+"/why",schemaPath:"#/properties/run/properties/calls/items/properties/why/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err185];
}
else {
vErrors.push(err185);
}
errors++;
}
}
if(data66.lapses_at !== undefined && func0.call(data66, "lapses_at")){
let data79 = data66.lapses_at;
if((typeof data79 == "number") && (isFinite(data79))){
if(data79 < 0 || isNaN(data79)){
const err186 = {instancePath:instancePath+"/run/calls/" + i7+"/lapses_at",schemaPath:"#/properties/run/properties/calls/items/properties/lapses_at/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"};
if(vErrors === null){
vErrors = [err186];
}
else {
vErrors.push(err186);
}
errors++;
}
}
else {
const err187 = {instancePath:instancePath+"/run/calls/" + i7+"/lapses_at",schemaPath:"#/properties/run/properties/calls/items/properties/lapses_at/type",keyword:"type",params:{type: "number"},message:"must be number"};
if(vErrors === null){
vErrors = [err187];
}
else {
vErrors.push(err187);
}
errors++;
}
}
if(data66.unfit !== undefined && func0.call(data66, "unfit")){
if(typeof data66.unfit !== "string"){
const err188 = {instancePath:instancePath+"/run/calls/" + i7+"/unfit",schemaPath:"#/properties/run/properties/calls/items/properties/unfit/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err188];
}
else {
vErrors.push(err188);
}
errors++;
}
}
if(data66.proposed !== undefined && func0.call(data66, "proposed")){
let data81 = data66.proposed;
if(!(data81 && typeof data81 == "object" && !Array.isArray(data81))){
const err189 = {instancePath:instancePath+"/run/calls/" + i7+"/proposed",schemaPath:"#/properties/run/properties/calls/items/properties/proposed/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err189];
}
else {
vErrors.push(err189);
}
errors++;
}
}
if(data66.elicitation !== undefined && func0.call(data66, "elicitation")){
let data82 = data66.elicitation;
if(data82 && typeof data82 == "object" && !Array.isArray(data82)){
if((data82.round === undefined) || (!(func0.call(data82, "round")))){
const err190 = {instancePath:instancePath+"/run/calls/" + i7+"/elicitation",schemaPath:"#/properties/run/properties/calls/items/properties/elicitation/required",keyword:"required",params:{missingProperty: "round"},message:"must have required property '"+"round"+"'"};
if(vErrors === null){
vErrors = [err190];
}
else {
vErrors.push(err190);
}
errors++;
}
if((data82.questions === undefined) || (!(func0.call(data82, "questions")))){
const err191 = {instancePath:instancePath+"/run/calls/" + i7+"/elicitation",schemaPath:"#/properties/run/properties/calls/items/properties/elicitation/required",keyword:"required",params:{missingProperty: "questions"},message:"must have required property '"+"questions"+"'"};
if(vErrors === null){
vErrors = [err191];
}
else {
vErrors.push(err191);
}
errors++;
}
for(const key12 of Object.keys(data82)){
if(!(((((key12 === "round") || (key12 === "questions")) || (key12 === "request_state")) || (key12 === "answers")) || (key12 === "before"))){
const err192 = {instancePath:instancePath+"/run/calls/" + i7+"/elicitation",schemaPath:"#/properties/run/properties/calls/items/properties/elicitation/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key12},message:"must NOT have additional properties"};
if(vErrors === null){
vErrors = [err192];
}
else {
vErrors.push(err192);
}
errors++;
}
}
if(data82.round !== undefined && func0.call(data82, "round")){
let data83 = data82.round;
if(!(((typeof data83 == "number") && (!(data83 % 1) && !isNaN(data83))) && (isFinite(data83)))){
const err193 = {instancePath:instancePath+"/run/calls/" + i7+"/elicitation/round",schemaPath:"#/properties/run/properties/calls/items/properties/elicitation/properties/round/type",keyword:"type",params:{type: "integer"},message:"must be integer"};
if(vErrors === null){
vErrors = [err193];
}
else {
vErrors.push(err193);
}
errors++;
}
if((typeof data83 == "number") && (isFinite(data83))){
if(data83 < 0 || isNaN(data83)){
const err194 = {instancePath:instancePath+"/run/calls/" + i7+"/elicitation/round",schemaPath:"#/properties/run/properties/calls/items/properties/elicitation/properties/round/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"};
if(vErrors === null){
vErrors = [err194];
}
else {
vErrors.push(err194);
}
errors++;
}
}
}
if(data82.questions !== undefined && func0.call(data82, "questions")){
let data84 = data82.questions;
if(Array.isArray(data84)){
const len8 = data84.length;
for(let i8=0; i8<len8; i8++){
let data85 = data84[i8];
if(data85 && typeof data85 == "object" && !Array.isArray(data85)){
if((data85.key === undefined) || (!(func0.call(data85, "key")))){
const err195 = {instancePath:instancePath+"/run/calls/" + i7+"/elicitation/questions/" + i8,schemaPath:"#/properties/run/properties/calls/items/properties/elicitation/properties/questions/items/required",keyword:"required",params:{missingProperty: "key"},message:"must have required property '"+"key"+"'"};
if(vErrors === null){
vErrors = [err195];
}
else {
vErrors.push(err195);
}
errors++;
}
if((data85.mode === undefined) || (!(func0.call(data85, "mode")))){
const err196 = {instancePath:instancePath+"/run/calls/" + i7+"/elicitation/questions/" + i8,schemaPath:"#/properties/run/properties/calls/items/properties/elicitation/properties/questions/items/required",keyword:"required",params:{missingProperty: "mode"},message:"must have required property '"+"mode"+"'"};
if(vErrors === null){
vErrors = [err196];
}
else {
vErrors.push(err196);
}
errors++;
}
if((data85.message === undefined) || (!(func0.call(data85, "message")))){
const err197 = {instancePath:instancePath+"/run/calls/" + i7+"/elicitation/questions/" + i8,schemaPath:"#/properties/run/properties/calls/items/properties/elicitation/properties/questions/items/required",keyword:"required",params:{missingProperty: "message"},message:"must have required property '"+"message"+"'"};
if(vErrors === null){
vErrors = [err197];
}
else {
vErrors.push(err197);
}
errors++;
}
for(const key13 of Object.keys(data85)){
if(!(((((key13 === "key") || (key13 === "mode")) || (key13 === "message")) || (key13 === "schema")) || (key13 === "url"))){
const err198 = {instancePath:instancePath+"/run/calls/" + i7+"/elicitation/questions/" + i8,schemaPath:"#/properties/run/properties/calls/items/properties/elicitation/properties/questions/items/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key13},message:"must NOT have additional properties"};
if(vErrors === null){
vErrors = [err198];
}
else {
vErrors.push(err198);
}
errors++;
}
}
if(data85.key !== undefined && func0.call(data85, "key")){
if(typeof data85.key !== "string"){
const err199 = {instancePath:instancePath+"/run/calls/" + i7+"/elicitation/questions/" + i8+"/key",schemaPath:"#/properties/run/properties/calls/items/properties/elicitation/properties/questions/items/properties/key/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err199];
}
else {
vErrors.push(err199);
}
errors++;
}
}
if(data85.mode !== undefined && func0.call(data85, "mode")){
let data87 = data85.mode;
if(typeof data87 !== "string"){
const err200 = {instancePath:instancePath+"/run/calls/" + i7+"/elicitation/questions/" + i8+"/mode",schemaPath:"#/properties/run/properties/calls/items/properties/elicitation/properties/questions/items/properties/mode/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err200];
}
else {
vErrors.push(err200);
}
errors++;
}
if(!((data87 === "form") || (data87 === "url"))){
const err201 = {instancePath:instancePath+"/run/calls/" + i7+"/elicitation/questions/" + i8+"/mode",schemaPath:"#/properties/run/properties/calls/items/properties/elicitation/properties/questions/items/properties/mode/enum",keyword:"enum",params:{allowedValues: schema31.properties.run.properties.calls.items.properties.elicitation.properties.questions.items.properties.mode.enum},message:"must be equal to one of the allowed values"};
if(vErrors === null){
vErrors = [err201];
}
else {
vErrors.push(err201);
}
errors++;
}
}
if(data85.message !== undefined && func0.call(data85, "message")){
if(typeof data85.message !== "string"){
const err202 = {instancePath:instancePath+"/run/calls/" + i7+"/elicitation/questions/" + i8+"/message",schemaPath:"#/properties/run/properties/calls/items/properties/elicitation/properties/questions/items/properties/message/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err202];
}
else {
vErrors.push(err202);
}
errors++;
}
}
if(data85.schema !== undefined && func0.call(data85, "schema")){
let data89 = data85.schema;
if(!(data89 && typeof data89 == "object" && !Array.isArray(data89))){
const err203 = {instancePath:instancePath+"/run/calls/" + i7+"/elicitation/questions/" + i8+"/schema",schemaPath:"#/properties/run/properties/calls/items/properties/elicitation/properties/questions/items/properties/schema/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err203];
}
else {
vErrors.push(err203);
}
errors++;
}
}
if(data85.url !== undefined && func0.call(data85, "url")){
if(typeof data85.url !== "string"){
const err204 = {instancePath:instancePath+"/run/calls/" + i7+"/elicitation/questions/" + i8+"/url",schemaPath:"#/properties/run/properties/calls/items/properties/elicitation/properties/questions/items/properties/url/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err204];
}
else {
vErrors.push(err204);
}
errors++;
}
}
}
else {
const err205 = {instancePath:instancePath+"/run/calls/" + i7+"/elicitation/questions/" + i8,schemaPath:"#/properties/run/properties/calls/items/properties/elicitation/properties/questions/items/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err205];
}
else {
vErrors.push(err205);
}
errors++;
}
}
}
else {
const err206 = {instancePath:instancePath+"/run/calls/" + i7+"/elicitation/questions",schemaPath:"#/properties/run/properties/calls/items/properties/elicitation/properties/questions/type",keyword:"type",params:{type: "array"},message:"must be array"};
if(vErrors === null){
vErrors = [err206];
}
else {
vErrors.push(err206);
}
errors++;
}
}
if(data82.request_state !== undefined && func0.call(data82, "request_state")){
if(typeof data82.request_state !== "string"){
const err207 = {instancePath:instancePath+"/run/calls/" + i7+"/elicitation/request_state",schemaPath:"#/properties/run/properties/calls/items/properties/elicitation/properties/request_state/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err207];
}
else {
vErrors.push(err207);
}
errors++;
}
}
if(data82.answers !== undefined && func0.call(data82, "answers")){
let data92 = data82.answers;
if(!(data92 && typeof data92 == "object" && !Array.isArray(data92))){
const err208 = {instancePath:instancePath+"/run/calls/" + i7+"/elicitation/answers",schemaPath:"#/properties/run/properties/calls/items/properties/elicitation/properties/answers/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err208];
}
else {
vErrors.push(err208);
}
errors++;
}
}
if(data82.before !== undefined && func0.call(data82, "before")){
let data93 = data82.before;
if(Array.isArray(data93)){
const len9 = data93.length;
for(let i9=0; i9<len9; i9++){
let data94 = data93[i9];
if(data94 && typeof data94 == "object" && !Array.isArray(data94)){
if((data94.questions === undefined) || (!(func0.call(data94, "questions")))){
const err209 = {instancePath:instancePath+"/run/calls/" + i7+"/elicitation/before/" + i9,schemaPath:"#/properties/run/properties/calls/items/properties/elicitation/properties/before/items/required",keyword:"required",params:{missingProperty: "questions"},message:"must have required property '"+"questions"+"'"};
if(vErrors === null){
vErrors = [err209];
}
else {
vErrors.push(err209);
}
errors++;
}
if((data94.answers === undefined) || (!(func0.call(data94, "answers")))){
const err210 = {instancePath:instancePath+"/run/calls/" + i7+"/elicitation/before/" + i9,schemaPath:"#/properties/run/properties/calls/items/properties/elicitation/properties/before/items/required",keyword:"required",params:{missingProperty: "answers"},message:"must have required property '"+"answers"+"'"};
if(vErrors === null){
vErrors = [err210];
}
else {
vErrors.push(err210);
}
errors++;
}
for(const key14 of Object.keys(data94)){
if(!((key14 === "questions") || (key14 === "answers"))){
const err211 = {instancePath:instancePath+"/run/calls/" + i7+"/elicitation/before/" + i9,schemaPath:"#/properties/run/properties/calls/items/properties/elicitation/properties/before/items/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key14},message:"must NOT have additional properties"};
if(vErrors === null){
vErrors = [err211];
}
else {
vErrors.push(err211);
}
errors++;
}
}
if(data94.questions !== undefined && func0.call(data94, "questions")){
let data95 = data94.questions;
if(Array.isArray(data95)){
const len10 = data95.length;
for(let i10=0; i10<len10; i10++){
let data96 = data95[i10];
if(data96 && typeof data96 == "object" && !Array.isArray(data96)){
if((data96.key === undefined) || (!(func0.call(data96, "key")))){
const err212 = {instancePath:instancePath+"/run/calls/" + i7+"/elicitation/before/" + i9+"/questions/" + i10,schemaPath:"#/properties/run/properties/calls/items/properties/elicitation/properties/before/items/properties/questions/items/required",keyword:"required",params:{missingProperty: "key"},message:"must have required property '"+"key"+"'"};
if(vErrors === null){
vErrors = [err212];
}
else {
vErrors.push(err212);
}
errors++;
}
if((data96.mode === undefined) || (!(func0.call(data96, "mode")))){
const err213 = {instancePath:instancePath+"/run/calls/" + i7+"/elicitation/before/" + i9+"/questions/" + i10,schemaPath:"#/properties/run/properties/calls/items/properties/elicitation/properties/before/items/properties/questions/items/required",keyword:"required",params:{missingProperty: "mode"},message:"must have required property '"+"mode"+"'"};
if(vErrors === null){
vErrors = [err213];
}
else {
vErrors.push(err213);
}
errors++;
}
if((data96.message === undefined) || (!(func0.call(data96, "message")))){
const err214 = {instancePath:instancePath+"/run/calls/" + i7+"/elicitation/before/" + i9+"/questions/" + i10,schemaPath:"#/properties/run/properties/calls/items/properties/elicitation/properties/before/items/properties/questions/items/required",keyword:"required",params:{missingProperty: "message"},message:"must have required property '"+"message"+"'"};
if(vErrors === null){
vErrors = [err214];
}
else {
vErrors.push(err214);
}
errors++;
}
for(const key15 of Object.keys(data96)){
if(!(((((key15 === "key") || (key15 === "mode")) || (key15 === "message")) || (key15 === "schema")) || (key15 === "url"))){
const err215 = {instancePath:instancePath+"/run/calls/" + i7+"/elicitation/before/" + i9+"/questions/" + i10,schemaPath:"#/properties/run/properties/calls/items/properties/elicitation/properties/before/items/properties/questions/items/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key15},message:"must NOT have additional properties"};
if(vErrors === null){
vErrors = [err215];
}
else {
vErrors.push(err215);
}
errors++;
}
}
if(data96.key !== undefined && func0.call(data96, "key")){
if(typeof data96.key !== "string"){
const err216 = {instancePath:instancePath+"/run/calls/" + i7+"/elicitation/before/" + i9+"/questions/" + i10+"/key",schemaPath:"#/properties/run/properties/calls/items/properties/elicitation/properties/before/items/properties/questions/items/properties/key/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err216];
}
else {
vErrors.push(err216);
}
errors++;
}
}
if(data96.mode !== undefined && func0.call(data96, "mode")){
let data98 = data96.mode;
if(typeof data98 !== "string"){
const err217 = {instancePath:instancePath+"/run/calls/" + i7+"/elicitation/before/" + i9+"/questions/" + i10+"/mode",schemaPath:"#/properties/run/properties/calls/items/properties/elicitation/properties/before/items/properties/questions/items/properties/mode/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err217];
}
else {
vErrors.push(err217);
}
errors++;
}
if(!((data98 === "form") || (data98 === "url"))){
const err218 = {instancePath:instancePath+"/run/calls/" + i7+"/elicitation/before/" + i9+"/questions/" + i10+"/mode",schemaPath:"#/properties/run/properties/calls/items/properties/elicitation/properties/before/items/properties/questions/items/properties/mode/enum",keyword:"enum",params:{allowedValues: schema31.properties.run.properties.calls.items.properties.elicitation.properties.before.items.properties.questions.items.properties.mode.enum},message:"must be equal to one of the allowed values"};
if(vErrors === null){
vErrors = [err218];
}
else {
vErrors.push(err218);
}
errors++;
}
}
if(data96.message !== undefined && func0.call(data96, "message")){
if(typeof data96.message !== "string"){
const err219 = {instancePath:instancePath+"/run/calls/" + i7+"/elicitation/before/" + i9+"/questions/" + i10+"/message",schemaPath:"#/properties/run/properties/calls/items/properties/elicitation/properties/before/items/properties/questions/items/properties/message/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err219];
}
else {
vErrors.push(err219);
}
errors++;
}
}
if(data96.schema !== undefined && func0.call(data96, "schema")){
let data100 = data96.schema;
if(!(data100 && typeof data100 == "object" && !Array.isArray(data100))){
const err220 = {instancePath:instancePath+"/run/calls/" + i7+"/elicitation/before/" + i9+"/questions/" + i10+"/schema",schemaPath:"#/properties/run/properties/calls/items/properties/elicitation/properties/before/items/properties/questions/items/properties/schema/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err220];
}
else {
vErrors.push(err220);
}
errors++;
}
}
if(data96.url !== undefined && func0.call(data96, "url")){
if(typeof data96.url !== "string"){
const err221 = {instancePath:instancePath+"/run/calls/" + i7+"/elicitation/before/" + i9+"/questions/" + i10+"/url",schemaPath:"#/properties/run/properties/calls/items/properties/elicitation/properties/before/items/properties/questions/items/properties/url/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err221];
}
else {
vErrors.push(err221);
}
errors++;
}
}
}
else {
const err222 = {instancePath:instancePath+"/run/calls/" + i7+"/elicitation/before/" + i9+"/questions/" + i10,schemaPath:"#/properties/run/properties/calls/items/properties/elicitation/properties/before/items/properties/questions/items/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err222];
}
else {
vErrors.push(err222);
}
errors++;
}
}
}
else {
const err223 = {instancePath:instancePath+"/run/calls/" + i7+"/elicitation/before/" + i9+"/questions",schemaPath:"#/properties/run/properties/calls/items/properties/elicitation/properties/before/items/properties/questions/type",keyword:"type",params:{type: "array"},message:"must be array"};
if(vErrors === null){
vErrors = [err223];
}
else {
vErrors.push(err223);
}
errors++;
}
}
if(data94.answers !== undefined && func0.call(data94, "answers")){
let data102 = data94.answers;
if(!(data102 && typeof data102 == "object" && !Array.isArray(data102))){
const err224 = {instancePath:instancePath+"/run/calls/" + i7+"/elicitation/before/" + i9+"/answers",schemaPath:"#/properties/run/properties/calls/items/properties/elicitation/properties/before/items/properties/answers/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err224];
}
else {
vErrors.push(err224);
}
errors++;
}
}
}
else {
const err225 = {instancePath:instancePath+"/run/calls/" + i7+"/elicitation/before/" + i9,schemaPath:"#/properties/run/properties/calls/items/properties/elicitation/properties/before/items/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err225];
}
else {
vErrors.push(err225);
}
errors++;
}
}
}
else {
const err226 = {instancePath:instancePath+"/run/calls/" + i7+"/elicitation/before",schemaPath:"#/properties/run/properties/calls/items/properties/elicitation/properties/before/type",keyword:"type",params:{type: "array"},message:"must be array"};
if(vErrors === null){
vErrors = [err226];
}
else {
vErrors.push(err226);
}
errors++;
}
}
}
else {
const err227 = {instancePath:instancePath+"/run/calls/" + i7+"/elicitation",schemaPath:"#/properties/run/properties/calls/items/properties/elicitation/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err227];
}
else {
vErrors.push(err227);
}
errors++;
}
}
if(data66.agent !== undefined && func0.call(data66, "agent")){
let data103 = data66.agent;
if(data103 && typeof data103 == "object" && !Array.isArray(data103)){
if((data103.alias === undefined) || (!(func0.call(data103, "alias")))){
const err228 = {instancePath:instancePath+"/run/calls/" + i7+"/agent",schemaPath:"#/properties/run/properties/calls/items/properties/agent/required",keyword:"required",params:{missingProperty: "alias"},message:"must have required property '"+"alias"+"'"};
if(vErrors === null){
vErrors = [err228];
}
else {
vErrors.push(err228);
}
errors++;
}
if((data103.definition === undefined) || (!(func0.call(data103, "definition")))){
const err229 = {instancePath:instancePath+"/run/calls/" + i7+"/agent",schemaPath:"#/properties/run/properties/calls/items/properties/agent/required",keyword:"required",params:{missingProperty: "definition"},message:"must have required property '"+"definition"+"'"};
if(vErrors === null){
vErrors = [err229];
}
else {
vErrors.push(err229);
}
errors++;
}
if((data103.run_id === undefined) || (!(func0.call(data103, "run_id")))){
const err230 = {instancePath:instancePath+"/run/calls/" + i7+"/agent",schemaPath:"#/properties/run/properties/calls/items/properties/agent/required",keyword:"required",params:{missingProperty: "run_id"},message:"must have required property '"+"run_id"+"'"};
if(vErrors === null){
vErrors = [err230];
}
else {
vErrors.push(err230);
}
errors++;
}
if((data103.input === undefined) || (!(func0.call(data103, "input")))){
const err231 = {instancePath:instancePath+"/run/calls/" + i7+"/agent",schemaPath:"#/properties/run/properties/calls/items/properties/agent/required",keyword:"required",params:{missingProperty: "input"},message:"must have required property '"+"input"+"'"};
if(vErrors === null){
vErrors = [err231];
}
else {
vErrors.push(err231);
}
errors++;
}
if((data103.pass_context === undefined) || (!(func0.call(data103, "pass_context")))){
const err232 = {instancePath:instancePath+"/run/calls/" + i7+"/agent",schemaPath:"#/properties/run/properties/calls/items/properties/agent/required",keyword:"required",params:{missingProperty: "pass_context"},message:"must have required property '"+"pass_context"+"'"};
if(vErrors === null){
vErrors = [err232];
}
else {
vErrors.push(err232);
}
errors++;
}
if((data103.limits === undefined) || (!(func0.call(data103, "limits")))){
const err233 = {instancePath:instancePath+"/run/calls/" + i7+"/agent",schemaPath:"#/properties/run/properties/calls/items/properties/agent/required",keyword:"required",params:{missingProperty: "limits"},message:"must have required property '"+"limits"+"'"};
if(vErrors === null){
vErrors = [err233];
}
else {
vErrors.push(err233);
}
errors++;
}
for(const key16 of Object.keys(data103)){
if(!((((((((key16 === "alias") || (key16 === "definition")) || (key16 === "run_id")) || (key16 === "input")) || (key16 === "pass_context")) || (key16 === "memory")) || (key16 === "limits")) || (key16 === "instead_of"))){
const err234 = {instancePath:instancePath+"/run/calls/" + i7+"/agent",schemaPath:"#/properties/run/properties/calls/items/properties/agent/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key16},message:"must NOT have additional properties"};
if(vErrors === null){
vErrors = [err234];
}
else {
vErrors.push(err234);
}
errors++;
}
}
if(data103.alias !== undefined && func0.call(data103, "alias")){
if(typeof data103.alias !== "string"){
const err235 = {instancePath:instancePath+"/run/calls/" + i7+"/agent/alias",schemaPath:"#/properties/run/properties/calls/items/properties/agent/properties/alias/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err235];
}
else {
vErrors.push(err235);
}
errors++;
}
}
if(data103.definition !== undefined && func0.call(data103, "definition")){
if(typeof data103.definition !== "string"){
const err236 = {instancePath:instancePath+"/run/calls/" + i7+"/agent/definition",schemaPath:"#/properties/run/properties/calls/items/properties/agent/properties/definition/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err236];
}
else {
vErrors.push(err236);
}
errors++;
}
}
if(data103.run_id !== undefined && func0.call(data103, "run_id")){
if(typeof data103.run_id !== "string"){
const err237 = {instancePath:instancePath+"/run/calls/" + i7+"/agent/run_id",schemaPath:"#/properties/run/properties/calls/items/properties/agent/properties/run_id/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err237];
}
else {
vErrors.push(err237);
}
errors++;
}
}
if(data103.pass_context !== undefined && func0.call(data103, "pass_context")){
if(typeof data103.pass_context !== "boolean"){
const err238 = {instancePath:instancePath+"/run/calls/" + i7+"/agent/pass_context",schemaPath:"#/properties/run/properties/calls/items/properties/agent/properties/pass_context/type",keyword:"type",params:{type: "boolean"},message:"must be boolean"};
if(vErrors === null){
vErrors = [err238];
}
else {
vErrors.push(err238);
}
errors++;
}
}
if(data103.memory !== undefined && func0.call(data103, "memory")){
let data108 = data103.memory;
if(!(data108 && typeof data108 == "object" && !Array.isArray(data108))){
const err239 = {instancePath:instancePath+"/run/calls/" + i7+"/agent/memory",schemaPath:"#/properties/run/properties/calls/items/properties/agent/properties/memory/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err239];
}
else {
vErrors.push(err239);
}
errors++;
}
}
if(data103.limits !== undefined && func0.call(data103, "limits")){
let data109 = data103.limits;
if(data109 && typeof data109 == "object" && !Array.isArray(data109)){
for(const key17 of Object.keys(data109)){
if(!(((((key17 === "tokens") || (key17 === "usd")) || (key17 === "calls")) || (key17 === "deadline_at")) || (key17 === "deadline_of"))){
const err240 = {instancePath:instancePath+"/run/calls/" + i7+"/agent/limits",schemaPath:"#/properties/run/properties/calls/items/properties/agent/properties/limits/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key17},message:"must NOT have additional properties"};
if(vErrors === null){
vErrors = [err240];
}
else {
vErrors.push(err240);
}
errors++;
}
}
if(data109.tokens !== undefined && func0.call(data109, "tokens")){
let data110 = data109.tokens;
if((typeof data110 == "number") && (isFinite(data110))){
if(data110 < 0 || isNaN(data110)){
const err241 = {instancePath:instancePath+"/run/calls/" + i7+"/agent/limits/tokens",schemaPath:"#/properties/run/properties/calls/items/properties/agent/properties/limits/properties/tokens/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"};
if(vErrors === null){
vErrors = [err241];
}
else {
vErrors.push(err241);
}
errors++;
}
}
else {
const err242 = {instancePath:instancePath+"/run/calls/" + i7+"/agent/limits/tokens",schemaPath:"#/properties/run/properties/calls/items/properties/agent/properties/limits/properties/tokens/type",keyword:"type",params:{type: "number"},message:"must be number"};
if(vErrors === null){
vErrors = [err242];
}
else {
vErrors.push(err242);
}
errors++;
}
}
if(data109.usd !== undefined && func0.call(data109, "usd")){
let data111 = data109.usd;
if((typeof data111 == "number") && (isFinite(data111))){
if(data111 < 0 || isNaN(data111)){
const err243 = {instancePath:instancePath+"/run/calls/" + i7+"/agent/limits/usd",schemaPath:"#/properties/run/properties/calls/items/properties/agent/properties/limits/properties/usd/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"};
if(vErrors === null){
vErrors = [err243];
}
else {
vErrors.push(err243);
}
errors++;
}
}
else {
const err244 = {instancePath:instancePath+"/run/calls/" + i7+"/agent/limits/usd",schemaPath:"#/properties/run/properties/calls/items/properties/agent/properties/limits/properties/usd/type",keyword:"type",params:{type: "number"},message:"must be number"};
if(vErrors === null){
vErrors = [err244];
}
else {
vErrors.push(err244);
}
errors++;
}
}
if(data109.calls !== undefined && func0.call(data109, "calls")){
let data112 = data109.calls;
if((typeof data112 == "number") && (isFinite(data112))){
if(data112 < 0 || isNaN(data112)){
const err245 = {instancePath:instancePath+"/run/calls/" + i7+"/agent/limits/calls",schemaPath:"#/properties/run/properties/calls/items/properties/agent/properties/limits/properties/calls/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"};
if(vErrors === null){
vErrors = [err245];
}
else {
vErrors.push(err245);
}
errors++;
}
}
else {
const err246 = {instancePath:instancePath+"/run/calls/" + i7+"/agent/limits/calls",schemaPath:"#/properties/run/properties/calls/items/properties/agent/properties/limits/properties/calls/type",keyword:"type",params:{type: "number"},message:"must be number"};
if(vErrors === null){
vErrors = [err246];
}
else {
vErrors.push(err246);
}
errors++;
}
}
if(data109.deadline_at !== undefined && func0.call(data109, "deadline_at")){
let data113 = data109.deadline_at;
if((typeof data113 == "number") && (isFinite(data113))){
if(data113 < 0 || isNaN(data113)){
const err247 = {instancePath:instancePath+"/run/calls/" + i7+"/agent/limits/deadline_at",schemaPath:"#/properties/run/properties/calls/items/properties/agent/properties/limits/properties/deadline_at/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"};
if(vErrors === null){
vErrors = [err247];
}
else {
vErrors.push(err247);
}
errors++;
}
}
else {
const err248 = {instancePath:instancePath+"/run/calls/" + i7+"/agent/limits/deadline_at",schemaPath:"#/properties/run/properties/calls/items/properties/agent/properties/limits/properties/deadline_at/type",keyword:"type",params:{type: "number"},message:"must be number"};
if(vErrors === null){
vErrors = [err248];
}
else {
vErrors.push(err248);
}
errors++;
}
}
if(data109.deadline_of !== undefined && func0.call(data109, "deadline_of")){
let data114 = data109.deadline_of;
if(typeof data114 !== "string"){
const err249 = {instancePath:instancePath+"/run/calls/" + i7+"/agent/limits/deadline_of",schemaPath:"#/properties/run/properties/calls/items/properties/agent/properties/limits/properties/deadline_of/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err249];
}
else {
vErrors.push(err249);
}
errors++;
}
if(!((data114 === "runtime") || (data114 === "budget"))){
const err250 = {instancePath:instancePath+"/run/calls/" + i7+"/agent/limits/deadline_of",schemaPath:"#/properties/run/properties/calls/items/properties/agent/properties/limits/properties/deadline_of/enum",keyword:"enum",params:{allowedValues: schema31.properties.run.properties.calls.items.properties.agent.properties.limits.properties.deadline_of.enum},message:"must be equal to one of the allowed values"};
if(vErrors === null){
vErrors = [err250];
}
else {
vErrors.push(err250);
}
errors++;
}
}
}
else {
const err251 = {instancePath:instancePath+"/run/calls/" + i7+"/agent/limits",schemaPath:"#/properties/run/properties/calls/items/properties/agent/properties/limits/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err251];
}
else {
vErrors.push(err251);
}
errors++;
}
}
if(data103.instead_of !== undefined && func0.call(data103, "instead_of")){
if(typeof data103.instead_of !== "string"){
const err252 = {instancePath:instancePath+"/run/calls/" + i7+"/agent/instead_of",schemaPath:"#/properties/run/properties/calls/items/properties/agent/properties/instead_of/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err252];
}
else {
vErrors.push(err252);
}
errors++;
}
}
}
else {
const err253 = {instancePath:instancePath+"/run/calls/" + i7+"/agent",schemaPath:"#/properties/run/properties/calls/items/properties/agent/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err253];
}
else {
vErrors.push(err253);
}
errors++;
}
}
}
else {
const err254 = {instancePath:instancePath+"/run/calls/" + i7,schemaPath:"#/properties/run/properties/calls/items/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err254];
}
else {
vErrors.push(err254);
}
errors++;
}
}
}
else {
const err255 = {instancePath:instancePath+"/run/calls",schemaPath:"#/properties/run/properties/calls/type",keyword:"type",params:{type: "array"},message:"must be array"};
if(vErrors === null){
vErrors = [err255];
}
else {
vErrors.push(err255);
}
errors++;
}
}
if(data41.steering !== undefined && func0.call(data41, "steering")){
let data116 = data41.steering;
if(Array.isArray(data116)){
const len11 = data116.length;
for(let i11=0; i11<len11; i11++){
let data117 = data116[i11];
if(data117 && typeof data117 == "object" && !Array.isArray(data117)){
if((data117.text === undefined) || (!(func0.call(data117, "text")))){
const err256 = {instancePath:instancePath+"/run/steering/" + i11,schemaPath:"#/properties/run/properties/steering/items/required",keyword:"required",params:{missingProperty: "text"},message:"must have required property '"+"text"+"'"};
if(vErrors === null){
vErrors = [err256];
}
else {
vErrors.push(err256);
}
errors++;
}
for(const key18 of Object.keys(data117)){
if(!((key18 === "text") || (key18 === "message"))){
const err257 = {instancePath:instancePath+"/run/steering/" + i11,schemaPath:"#/properties/run/properties/steering/items/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key18},message:"must NOT have additional properties"};
if(vErrors === null){
vErrors = [err257];
}
else {
vErrors.push(err257);
}
errors++;
}
}
if(data117.text !== undefined && func0.call(data117, "text")){
if(typeof data117.text !== "string"){
const err258 = {instancePath:instancePath+"/run/steering/" + i11+"/text",schemaPath:"#/properties/run/properties/steering/items/properties/text/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err258];
}
else {
vErrors.push(err258);
}
errors++;
}
}
if(data117.message !== undefined && func0.call(data117, "message")){
if(typeof data117.message !== "string"){
const err259 = {instancePath:instancePath+"/run/steering/" + i11+"/message",schemaPath:"#/properties/run/properties/steering/items/properties/message/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err259];
}
else {
vErrors.push(err259);
}
errors++;
}
}
}
else {
const err260 = {instancePath:instancePath+"/run/steering/" + i11,schemaPath:"#/properties/run/properties/steering/items/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err260];
}
else {
vErrors.push(err260);
}
errors++;
}
}
}
else {
const err261 = {instancePath:instancePath+"/run/steering",schemaPath:"#/properties/run/properties/steering/type",keyword:"type",params:{type: "array"},message:"must be array"};
if(vErrors === null){
vErrors = [err261];
}
else {
vErrors.push(err261);
}
errors++;
}
}
if(data41.received !== undefined && func0.call(data41, "received")){
let data120 = data41.received;
if(Array.isArray(data120)){
const len12 = data120.length;
for(let i12=0; i12<len12; i12++){
if(typeof data120[i12] !== "string"){
const err262 = {instancePath:instancePath+"/run/received/" + i12,schemaPath:"#/properties/run/properties/received/items/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err262];
}
else {
vErrors.push(err262);
}
errors++;
}
}
}
else {
const err263 = {instancePath:instancePath+"/run/received",schemaPath:"#/properties/run/properties/received/type",keyword:"type",params:{type: "array"},message:"must be array"};
if(vErrors === null){
vErrors = [err263];
}
else {
vErrors.push(err263);
}
errors++;
}
}
if(data41.turn_start !== undefined && func0.call(data41, "turn_start")){
let data122 = data41.turn_start;
if(data122 && typeof data122 == "object" && !Array.isArray(data122)){
if((data122.messages === undefined) || (!(func0.call(data122, "messages")))){
const err264 = {instancePath:instancePath+"/run/turn_start",schemaPath:"#/properties/run/properties/turn_start/required",keyword:"required",params:{missingProperty: "messages"},message:"must have required property '"+"messages"+"'"};
if(vErrors === null){
vErrors = [err264];
}
else {
vErrors.push(err264);
}
errors++;
}
if((data122.background === undefined) || (!(func0.call(data122, "background")))){
const err265 = {instancePath:instancePath+"/run/turn_start",schemaPath:"#/properties/run/properties/turn_start/required",keyword:"required",params:{missingProperty: "background"},message:"must have required property '"+"background"+"'"};
if(vErrors === null){
vErrors = [err265];
}
else {
vErrors.push(err265);
}
errors++;
}
for(const key19 of Object.keys(data122)){
if(!((key19 === "messages") || (key19 === "background"))){
const err266 = {instancePath:instancePath+"/run/turn_start",schemaPath:"#/properties/run/properties/turn_start/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key19},message:"must NOT have additional properties"};
if(vErrors === null){
vErrors = [err266];
}
else {
vErrors.push(err266);
}
errors++;
}
}
if(data122.messages !== undefined && func0.call(data122, "messages")){
let data123 = data122.messages;
if(!(((typeof data123 == "number") && (!(data123 % 1) && !isNaN(data123))) && (isFinite(data123)))){
const err267 = {instancePath:instancePath+"/run/turn_start/messages",schemaPath:"#/properties/run/properties/turn_start/properties/messages/type",keyword:"type",params:{type: "integer"},message:"must be integer"};
if(vErrors === null){
vErrors = [err267];
}
else {
vErrors.push(err267);
}
errors++;
}
if((typeof data123 == "number") && (isFinite(data123))){
if(data123 < 0 || isNaN(data123)){
const err268 = {instancePath:instancePath+"/run/turn_start/messages",schemaPath:"#/properties/run/properties/turn_start/properties/messages/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"};
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
if(data122.background !== undefined && func0.call(data122, "background")){
let data124 = data122.background;
if(!(data124 && typeof data124 == "object" && !Array.isArray(data124))){
const err269 = {instancePath:instancePath+"/run/turn_start/background",schemaPath:"#/properties/run/properties/turn_start/properties/background/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err269];
}
else {
vErrors.push(err269);
}
errors++;
}
}
}
else {
const err270 = {instancePath:instancePath+"/run/turn_start",schemaPath:"#/properties/run/properties/turn_start/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err270];
}
else {
vErrors.push(err270);
}
errors++;
}
}
if(data41.sent !== undefined && func0.call(data41, "sent")){
let data125 = data41.sent;
if(Array.isArray(data125)){
const len13 = data125.length;
for(let i13=0; i13<len13; i13++){
let data126 = data125[i13];
if(data126 && typeof data126 == "object" && !Array.isArray(data126)){
if((data126.id === undefined) || (!(func0.call(data126, "id")))){
const err271 = {instancePath:instancePath+"/run/sent/" + i13,schemaPath:"#/properties/run/properties/sent/items/required",keyword:"required",params:{missingProperty: "id"},message:"must have required property '"+"id"+"'"};
if(vErrors === null){
vErrors = [err271];
}
else {
vErrors.push(err271);
}
errors++;
}
if((data126.tool === undefined) || (!(func0.call(data126, "tool")))){
const err272 = {instancePath:instancePath+"/run/sent/" + i13,schemaPath:"#/properties/run/properties/sent/items/required",keyword:"required",params:{missingProperty: "tool"},message:"must have required property '"+"tool"+"'"};
if(vErrors === null){
vErrors = [err272];
}
else {
vErrors.push(err272);
}
errors++;
}
if((data126.args === undefined) || (!(func0.call(data126, "args")))){
const err273 = {instancePath:instancePath+"/run/sent/" + i13,schemaPath:"#/properties/run/properties/sent/items/required",keyword:"required",params:{missingProperty: "args"},message:"must have required property '"+"args"+"'"};
if(vErrors === null){
vErrors = [err273];
}
else {
vErrors.push(err273);
}
errors++;
}
if((data126.key === undefined) || (!(func0.call(data126, "key")))){
const err274 = {instancePath:instancePath+"/run/sent/" + i13,schemaPath:"#/properties/run/properties/sent/items/required",keyword:"required",params:{missingProperty: "key"},message:"must have required property '"+"key"+"'"};
if(vErrors === null){
vErrors = [err274];
}
else {
vErrors.push(err274);
}
errors++;
}
if((data126.effect === undefined) || (!(func0.call(data126, "effect")))){
const err275 = {instancePath:instancePath+"/run/sent/" + i13,schemaPath:"#/properties/run/properties/sent/items/required",keyword:"required",params:{missingProperty: "effect"},message:"must have required property '"+"effect"+"'"};
if(vErrors === null){
vErrors = [err275];
}
else {
vErrors.push(err275);
}
errors++;
}
if((data126.status === undefined) || (!(func0.call(data126, "status")))){
const err276 = {instancePath:instancePath+"/run/sent/" + i13,schemaPath:"#/properties/run/properties/sent/items/required",keyword:"required",params:{missingProperty: "status"},message:"must have required property '"+"status"+"'"};
if(vErrors === null){
vErrors = [err276];
}
else {
vErrors.push(err276);
}
errors++;
}
for(const key20 of Object.keys(data126)){
if(!(func0.call(schema31.properties.run.properties.sent.items.properties, key20))){
const err277 = {instancePath:instancePath+"/run/sent/" + i13,schemaPath:"#/properties/run/properties/sent/items/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key20},message:"must NOT have additional properties"};
if(vErrors === null){
vErrors = [err277];
}
else {
vErrors.push(err277);
}
errors++;
}
}
if(data126.id !== undefined && func0.call(data126, "id")){
if(typeof data126.id !== "string"){
const err278 = {instancePath:instancePath+"/run/sent/" + i13+"/id",schemaPath:"#/properties/run/properties/sent/items/properties/id/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err278];
}
else {
vErrors.push(err278);
}
errors++;
}
}
if(data126.tool !== undefined && func0.call(data126, "tool")){
if(typeof data126.tool !== "string"){
const err279 = {instancePath:instancePath+"/run/sent/" + i13+"/tool",schemaPath:"#/properties/run/properties/sent/items/properties/tool/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err279];
}
else {
vErrors.push(err279);
}
errors++;
}
}
if(data126.args !== undefined && func0.call(data126, "args")){
let data129 = data126.args;
if(!(data129 && typeof data129 == "object" && !Array.isArray(data129))){
const err280 = {instancePath:instancePath+"/run/sent/" + i13+"/args",schemaPath:"#/properties/run/properties/sent/items/properties/args/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err280];
}
else {
vErrors.push(err280);
}
errors++;
}
}
if(data126.key !== undefined && func0.call(data126, "key")){
if(typeof data126.key !== "string"){
const err281 = {instancePath:instancePath+"/run/sent/" + i13+"/key",schemaPath:"#/properties/run/properties/sent/items/properties/key/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err281];
}
else {
vErrors.push(err281);
}
errors++;
}
}
if(data126.effect !== undefined && func0.call(data126, "effect")){
let data131 = data126.effect;
if(typeof data131 !== "string"){
const err282 = {instancePath:instancePath+"/run/sent/" + i13+"/effect",schemaPath:"#/properties/run/properties/sent/items/properties/effect/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err282];
}
else {
vErrors.push(err282);
}
errors++;
}
if(!(((data131 === "none") || (data131 === "idempotent")) || (data131 === "once"))){
const err283 = {instancePath:instancePath+"/run/sent/" + i13+"/effect",schemaPath:"#/properties/run/properties/sent/items/properties/effect/enum",keyword:"enum",params:{allowedValues: schema31.properties.run.properties.sent.items.properties.effect.enum},message:"must be equal to one of the allowed values"};
if(vErrors === null){
vErrors = [err283];
}
else {
vErrors.push(err283);
}
errors++;
}
}
if(data126.status !== undefined && func0.call(data126, "status")){
let data132 = data126.status;
if(typeof data132 !== "string"){
const err284 = {instancePath:instancePath+"/run/sent/" + i13+"/status",schemaPath:"#/properties/run/properties/sent/items/properties/status/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err284];
}
else {
vErrors.push(err284);
}
errors++;
}
if(!((((((((data132 === "queued") || (data132 === "judging")) || (data132 === "asking")) || (data132 === "input_required")) || (data132 === "held")) || (data132 === "sent")) || (data132 === "unknown")) || (data132 === "done"))){
const err285 = {instancePath:instancePath+"/run/sent/" + i13+"/status",schemaPath:"#/properties/run/properties/sent/items/properties/status/enum",keyword:"enum",params:{allowedValues: schema31.properties.run.properties.sent.items.properties.status.enum},message:"must be equal to one of the allowed values"};
if(vErrors === null){
vErrors = [err285];
}
else {
vErrors.push(err285);
}
errors++;
}
}
if(data126.unasked !== undefined && func0.call(data126, "unasked")){
if(typeof data126.unasked !== "boolean"){
const err286 = {instancePath:instancePath+"/run/sent/" + i13+"/unasked",schemaPath:"#/properties/run/properties/sent/items/properties/unasked/type",keyword:"type",params:{type: "boolean"},message:"must be boolean"};
if(vErrors === null){
vErrors = [err286];
}
else {
vErrors.push(err286);
}
errors++;
}
}
if(data126.error !== undefined && func0.call(data126, "error")){
if(typeof data126.error !== "boolean"){
const err287 = {instancePath:instancePath+"/run/sent/" + i13+"/error",schemaPath:"#/properties/run/properties/sent/items/properties/error/type",keyword:"type",params:{type: "boolean"},message:"must be boolean"};
if(vErrors === null){
vErrors = [err287];
}
else {
vErrors.push(err287);
}
errors++;
}
}
if(data126.asked_at !== undefined && func0.call(data126, "asked_at")){
let data135 = data126.asked_at;
if((typeof data135 == "number") && (isFinite(data135))){
if(data135 < 0 || isNaN(data135)){
const err288 = {instancePath:instancePath+"/run/sent/" + i13+"/asked_at",schemaPath:"#/properties/run/properties/sent/items/properties/asked_at/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"};
if(vErrors === null){
vErrors = [err288];
}
else {
vErrors.push(err288);
}
errors++;
}
}
else {
const err289 = {instancePath:instancePath+"/run/sent/" + i13+"/asked_at",schemaPath:"#/properties/run/properties/sent/items/properties/asked_at/type",keyword:"type",params:{type: "number"},message:"must be number"};
if(vErrors === null){
vErrors = [err289];
}
else {
vErrors.push(err289);
}
errors++;
}
}
if(data126.unsettled !== undefined && func0.call(data126, "unsettled")){
if(typeof data126.unsettled !== "boolean"){
const err290 = {instancePath:instancePath+"/run/sent/" + i13+"/unsettled",schemaPath:"#/properties/run/properties/sent/items/properties/unsettled/type",keyword:"type",params:{type: "boolean"},message:"must be boolean"};
if(vErrors === null){
vErrors = [err290];
}
else {
vErrors.push(err290);
}
errors++;
}
}
if(data126.by_origin !== undefined && func0.call(data126, "by_origin")){
if(typeof data126.by_origin !== "boolean"){
const err291 = {instancePath:instancePath+"/run/sent/" + i13+"/by_origin",schemaPath:"#/properties/run/properties/sent/items/properties/by_origin/type",keyword:"type",params:{type: "boolean"},message:"must be boolean"};
if(vErrors === null){
vErrors = [err291];
}
else {
vErrors.push(err291);
}
errors++;
}
}
if(data126.why !== undefined && func0.call(data126, "why")){
if(typeof data126.why !== "string"){
const err292 = {instancePath:instancePath+"/run/sent/" + i13+"/why",schemaPath:"#/properties/run/properties/sent/items/properties/why/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err292];
}
else {
vErrors.push(err292);
}
errors++;
}
}
if(data126.lapses_at !== undefined && func0.call(data126, "lapses_at")){
let data139 = data126.lapses_at;
if((typeof data139 == "number") && (isFinite(data139))){
if(data139 < 0 || isNaN(data139)){
const err293 = {instancePath:instancePath+"/run/sent/" + i13+"/lapses_at",schemaPath:"#/properties/run/properties/sent/items/properties/lapses_at/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"};
if(vErrors === null){
vErrors = [err293];
}
else {
vErrors.push(err293);
}
errors++;
}
}
else {
const err294 = {instancePath:instancePath+"/run/sent/" + i13+"/lapses_at",schemaPath:"#/properties/run/properties/sent/items/properties/lapses_at/type",keyword:"type",params:{type: "number"},message:"must be number"};
if(vErrors === null){
vErrors = [err294];
}
else {
vErrors.push(err294);
}
errors++;
}
}
if(data126.unfit !== undefined && func0.call(data126, "unfit")){
if(typeof data126.unfit !== "string"){
const err295 = {instancePath:instancePath+"/run/sent/" + i13+"/unfit",schemaPath:"#/properties/run/properties/sent/items/properties/unfit/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err295];
}
else {
vErrors.push(err295);
}
errors++;
}
}
if(data126.proposed !== undefined && func0.call(data126, "proposed")){
let data141 = data126.proposed;
if(!(data141 && typeof data141 == "object" && !Array.isArray(data141))){
const err296 = {instancePath:instancePath+"/run/sent/" + i13+"/proposed",schemaPath:"#/properties/run/properties/sent/items/properties/proposed/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err296];
}
else {
vErrors.push(err296);
}
errors++;
}
}
if(data126.elicitation !== undefined && func0.call(data126, "elicitation")){
let data142 = data126.elicitation;
if(data142 && typeof data142 == "object" && !Array.isArray(data142)){
if((data142.round === undefined) || (!(func0.call(data142, "round")))){
const err297 = {instancePath:instancePath+"/run/sent/" + i13+"/elicitation",schemaPath:"#/properties/run/properties/sent/items/properties/elicitation/required",keyword:"required",params:{missingProperty: "round"},message:"must have required property '"+"round"+"'"};
if(vErrors === null){
vErrors = [err297];
}
else {
vErrors.push(err297);
}
errors++;
}
if((data142.questions === undefined) || (!(func0.call(data142, "questions")))){
const err298 = {instancePath:instancePath+"/run/sent/" + i13+"/elicitation",schemaPath:"#/properties/run/properties/sent/items/properties/elicitation/required",keyword:"required",params:{missingProperty: "questions"},message:"must have required property '"+"questions"+"'"};
if(vErrors === null){
vErrors = [err298];
}
else {
vErrors.push(err298);
}
errors++;
}
for(const key21 of Object.keys(data142)){
if(!(((((key21 === "round") || (key21 === "questions")) || (key21 === "request_state")) || (key21 === "answers")) || (key21 === "before"))){
const err299 = {instancePath:instancePath+"/run/sent/" + i13+"/elicitation",schemaPath:"#/properties/run/properties/sent/items/properties/elicitation/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key21},message:"must NOT have additional properties"};
if(vErrors === null){
vErrors = [err299];
}
else {
vErrors.push(err299);
}
errors++;
}
}
if(data142.round !== undefined && func0.call(data142, "round")){
let data143 = data142.round;
if(!(((typeof data143 == "number") && (!(data143 % 1) && !isNaN(data143))) && (isFinite(data143)))){
const err300 = {instancePath:instancePath+"/run/sent/" + i13+"/elicitation/round",schemaPath:"#/properties/run/properties/sent/items/properties/elicitation/properties/round/type",keyword:"type",params:{type: "integer"},message:"must be integer"};
if(vErrors === null){
vErrors = [err300];
}
else {
vErrors.push(err300);
}
errors++;
}
if((typeof data143 == "number") && (isFinite(data143))){
if(data143 < 0 || isNaN(data143)){
const err301 = {instancePath:instancePath+"/run/sent/" + i13+"/elicitation/round",schemaPath:"#/properties/run/properties/sent/items/properties/elicitation/properties/round/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"};
if(vErrors === null){
vErrors = [err301];
}
else {
vErrors.push(err301);
}
errors++;
}
}
}
if(data142.questions !== undefined && func0.call(data142, "questions")){
let data144 = data142.questions;
if(Array.isArray(data144)){
const len14 = data144.length;
for(let i14=0; i14<len14; i14++){
let data145 = data144[i14];
if(data145 && typeof data145 == "object" && !Array.isArray(data145)){
if((data145.key === undefined) || (!(func0.call(data145, "key")))){
const err302 = {instancePath:instancePath+"/run/sent/" + i13+"/elicitation/questions/" + i14,schemaPath:"#/properties/run/properties/sent/items/properties/elicitation/properties/questions/items/required",keyword:"required",params:{missingProperty: "key"},message:"must have required property '"+"key"+"'"};
if(vErrors === null){
vErrors = [err302];
}
else {
vErrors.push(err302);
}
errors++;
}
if((data145.mode === undefined) || (!(func0.call(data145, "mode")))){
const err303 = {instancePath:instancePath+"/run/sent/" + i13+"/elicitation/questions/" + i14,schemaPath:"#/properties/run/properties/sent/items/properties/elicitation/properties/questions/items/required",keyword:"required",params:{missingProperty: "mode"},message:"must have required property '"+"mode"+"'"};
if(vErrors === null){
vErrors = [err303];
}
else {
vErrors.push(err303);
}
errors++;
}
if((data145.message === undefined) || (!(func0.call(data145, "message")))){
const err304 = {instancePath:instancePath+"/run/sent/" + i13+"/elicitation/questions/" + i14,schemaPath:"#/properties/run/properties/sent/items/properties/elicitation/properties/questions/items/required",keyword:"required",params:{missingProperty: "message"},message:"must have required property '"+"message"+"'"};
if(vErrors === null){
vErrors = [err304];
}
else {
vErrors.push(err304);
}
errors++;
}
for(const key22 of Object.keys(data145)){
if(!(((((key22 === "key") || (key22 === "mode")) || (key22 === "message")) || (key22 === "schema")) || (key22 === "url"))){
const err305 = {instancePath:instancePath+"/run/sent/" + i13+"/elicitation/questions/" + i14,schemaPath:"#/properties/run/properties/sent/items/properties/elicitation/properties/questions/items/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key22},message:"must NOT have additional properties"};
if(vErrors === null){
vErrors = [err305];
}
else {
vErrors.push(err305);
}
errors++;
}
}
if(data145.key !== undefined && func0.call(data145, "key")){
if(typeof data145.key !== "string"){
const err306 = {instancePath:instancePath+"/run/sent/" + i13+"/elicitation/questions/" + i14+"/key",schemaPath:"#/properties/run/properties/sent/items/properties/elicitation/properties/questions/items/properties/key/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err306];
}
else {
vErrors.push(err306);
}
errors++;
}
}
if(data145.mode !== undefined && func0.call(data145, "mode")){
let data147 = data145.mode;
if(typeof data147 !== "string"){
const err307 = {instancePath:instancePath+"/run/sent/" + i13+"/elicitation/questions/" + i14+"/mode",schemaPath:"#/properties/run/properties/sent/items/properties/elicitation/properties/questions/items/properties/mode/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err307];
}
else {
vErrors.push(err307);
}
errors++;
}
if(!((data147 === "form") || (data147 === "url"))){
const err308 = {instancePath:instancePath+"/run/sent/" + i13+"/elicitation/questions/" + i14+"/mode",schemaPath:"#/properties/run/properties/sent/items/properties/elicitation/properties/questions/items/properties/mode/enum",keyword:"enum",params:{allowedValues: schema31.properties.run.properties.sent.items.properties.elicitation.properties.questions.items.properties.mode.enum},message:"must be equal to one of the allowed values"};
if(vErrors === null){
vErrors = [err308];
}
else {
vErrors.push(err308);
}
errors++;
}
}
if(data145.message !== undefined && func0.call(data145, "message")){
if(typeof data145.message !== "string"){
const err309 = {instancePath:instancePath+"/run/sent/" + i13+"/elicitation/questions/" + i14+"/message",schemaPath:"#/properties/run/properties/sent/items/properties/elicitation/properties/questions/items/properties/message/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err309];
}
else {
vErrors.push(err309);
}
errors++;
}
}
if(data145.schema !== undefined && func0.call(data145, "schema")){
let data149 = data145.schema;
if(!(data149 && typeof data149 == "object" && !Array.isArray(data149))){
const err310 = {instancePath:instancePath+"/run/sent/" + i13+"/elicitation/questions/" + i14+"/schema",schemaPath:"#/properties/run/properties/sent/items/properties/elicitation/properties/questions/items/properties/schema/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err310];
}
else {
vErrors.push(err310);
}
errors++;
}
}
if(data145.url !== undefined && func0.call(data145, "url")){
if(typeof data145.url !== "string"){
const err311 = {instancePath:instancePath+"/run/sent/" + i13+"/elicitation/questions/" + i14+"/url",schemaPath:"#/properties/run/properties/sent/items/properties/elicitation/properties/questions/items/properties/url/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err311];
}
else {
vErrors.push(err311);
}
errors++;
}
}
}
else {
const err312 = {instancePath:instancePath+"/run/sent/" + i13+"/elicitation/questions/" + i14,schemaPath:"#/properties/run/properties/sent/items/properties/elicitation/properties/questions/items/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err312];
}
else {
vErrors.push(err312);
}
errors++;
}
}
}
else {
const err313 = {instancePath:instancePath+"/run/sent/" + i13+"/elicitation/questions",schemaPath:"#/properties/run/properties/sent/items/properties/elicitation/properties/questions/type",keyword:"type",params:{type: "array"},message:"must be array"};
if(vErrors === null){
vErrors = [err313];
}
else {
vErrors.push(err313);
}
errors++;
}
}
if(data142.request_state !== undefined && func0.call(data142, "request_state")){
if(typeof data142.request_state !== "string"){
const err314 = {instancePath:instancePath+"/run/sent/" + i13+"/elicitation/request_state",schemaPath:"#/properties/run/properties/sent/items/properties/elicitation/properties/request_state/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err314];
}
else {
vErrors.push(err314);
}
errors++;
}
}
if(data142.answers !== undefined && func0.call(data142, "answers")){
let data152 = data142.answers;
if(!(data152 && typeof data152 == "object" && !Array.isArray(data152))){
const err315 = {instancePath:instancePath+"/run/sent/" + i13+"/elicitation/answers",schemaPath:"#/properties/run/properties/sent/items/properties/elicitation/properties/answers/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err315];
}
else {
vErrors.push(err315);
}
errors++;
}
}
if(data142.before !== undefined && func0.call(data142, "before")){
let data153 = data142.before;
if(Array.isArray(data153)){
const len15 = data153.length;
for(let i15=0; i15<len15; i15++){
let data154 = data153[i15];
if(data154 && typeof data154 == "object" && !Array.isArray(data154)){
if((data154.questions === undefined) || (!(func0.call(data154, "questions")))){
const err316 = {instancePath:instancePath+"/run/sent/" + i13+"/elicitation/before/" + i15,schemaPath:"#/properties/run/properties/sent/items/properties/elicitation/properties/before/items/required",keyword:"required",params:{missingProperty: "questions"},message:"must have required property '"+"questions"+"'"};
if(vErrors === null){
vErrors = [err316];
}
else {
vErrors.push(err316);
}
errors++;
}
if((data154.answers === undefined) || (!(func0.call(data154, "answers")))){
const err317 = {instancePath:instancePath+"/run/sent/" + i13+"/elicitation/before/" + i15,schemaPath:"#/properties/run/properties/sent/items/properties/elicitation/properties/before/items/required",keyword:"required",params:{missingProperty: "answers"},message:"must have required property '"+"answers"+"'"};
if(vErrors === null){
vErrors = [err317];
}
else {
vErrors.push(err317);
}
errors++;
}
for(const key23 of Object.keys(data154)){
if(!((key23 === "questions") || (key23 === "answers"))){
const err318 = {instancePath:instancePath+"/run/sent/" + i13+"/elicitation/before/" + i15,schemaPath:"#/properties/run/properties/sent/items/properties/elicitation/properties/before/items/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key23},message:"must NOT have additional properties"};
if(vErrors === null){
vErrors = [err318];
}
else {
vErrors.push(err318);
}
errors++;
}
}
if(data154.questions !== undefined && func0.call(data154, "questions")){
let data155 = data154.questions;
if(Array.isArray(data155)){
const len16 = data155.length;
for(let i16=0; i16<len16; i16++){
let data156 = data155[i16];
if(data156 && typeof data156 == "object" && !Array.isArray(data156)){
if((data156.key === undefined) || (!(func0.call(data156, "key")))){
const err319 = {instancePath:instancePath+"/run/sent/" + i13+"/elicitation/before/" + i15+"/questions/" + i16,schemaPath:"#/properties/run/properties/sent/items/properties/elicitation/properties/before/items/properties/questions/items/required",keyword:"required",params:{missingProperty: "key"},message:"must have required property '"+"key"+"'"};
if(vErrors === null){
vErrors = [err319];
}
else {
vErrors.push(err319);
}
errors++;
}
if((data156.mode === undefined) || (!(func0.call(data156, "mode")))){
const err320 = {instancePath:instancePath+"/run/sent/" + i13+"/elicitation/before/" + i15+"/questions/" + i16,schemaPath:"#/properties/run/properties/sent/items/properties/elicitation/properties/before/items/properties/questions/items/required",keyword:"required",params:{missingProperty: "mode"},message:"must have required property '"+"mode"+"'"};
if(vErrors === null){
vErrors = [err320];
}
else {
vErrors.push(err320);
}
errors++;
}
if((data156.message === undefined) || (!(func0.call(data156, "message")))){
const err321 = {instancePath:instancePath+"/run/sent/" + i13+"/elicitation/before/" + i15+"/questions/" + i16,schemaPath:"#/properties/run/properties/sent/items/properties/elicitation/properties/before/items/properties/questions/items/required",keyword:"required",params:{missingProperty: "message"},message:"must have required property '"+"message"+"'"};
if(vErrors === null){
vErrors = [err321];
}
else {
vErrors.push(err321);
}
errors++;
}
for(const key24 of Object.keys(data156)){
if(!(((((key24 === "key") || (key24 === "mode")) || (key24 === "message")) || (key24 === "schema")) || (key24 === "url"))){
const err322 = {instancePath:instancePath+"/run/sent/" + i13+"/elicitation/before/" + i15+"/questions/" + i16,schemaPath:"#/properties/run/properties/sent/items/properties/elicitation/properties/before/items/properties/questions/items/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key24},message:"must NOT have additional properties"};
if(vErrors === null){
vErrors = [err322];
}
else {
vErrors.push(err322);
}
errors++;
}
}
if(data156.key !== undefined && func0.call(data156, "key")){
if(typeof data156.key !== "string"){
const err323 = {instancePath:instancePath+"/run/sent/" + i13+"/elicitation/before/" + i15+"/questions/" + i16+"/key",schemaPath:"#/properties/run/properties/sent/items/properties/elicitation/properties/before/items/properties/questions/items/properties/key/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err323];
}
else {
vErrors.push(err323);
}
errors++;
}
}
if(data156.mode !== undefined && func0.call(data156, "mode")){
let data158 = data156.mode;
if(typeof data158 !== "string"){
const err324 = {instancePath:instancePath+"/run/sent/" + i13+"/elicitation/before/" + i15+"/questions/" + i16+"/mode",schemaPath:"#/properties/run/properties/sent/items/properties/elicitation/properties/before/items/properties/questions/items/properties/mode/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err324];
}
else {
vErrors.push(err324);
}
errors++;
}
if(!((data158 === "form") || (data158 === "url"))){
const err325 = {instancePath:instancePath+"/run/sent/" + i13+"/elicitation/before/" + i15+"/questions/" + i16+"/mode",schemaPath:"#/properties/run/properties/sent/items/properties/elicitation/properties/before/items/properties/questions/items/properties/mode/enum",keyword:"enum",params:{allowedValues: schema31.properties.run.properties.sent.items.properties.elicitation.properties.before.items.properties.questions.items.properties.mode.enum},message:"must be equal to one of the allowed values"};
if(vErrors === null){
vErrors = [err325];
}
else {
vErrors.push(err325);
}
errors++;
}
}
if(data156.message !== undefined && func0.call(data156, "message")){
if(typeof data156.message !== "string"){
const err326 = {instancePath:instancePath+"/run/sent/" + i13+"/elicitation/before/" + i15+"/questions/" + i16+"/message",schemaPath:"#/properties/run/properties/sent/items/properties/elicitation/properties/before/items/properties/questions/items/properties/message/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err326];
}
else {
vErrors.push(err326);
}
errors++;
}
}
if(data156.schema !== undefined && func0.call(data156, "schema")){
let data160 = data156.schema;
if(!(data160 && typeof data160 == "object" && !Array.isArray(data160))){
const err327 = {instancePath:instancePath+"/run/sent/" + i13+"/elicitation/before/" + i15+"/questions/" + i16+"/schema",schemaPath:"#/properties/run/properties/sent/items/properties/elicitation/properties/before/items/properties/questions/items/properties/schema/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err327];
}
else {
vErrors.push(err327);
}
errors++;
}
}
if(data156.url !== undefined && func0.call(data156, "url")){
if(typeof data156.url !== "string"){
const err328 = {instancePath:instancePath+"/run/sent/" + i13+"/elicitation/before/" + i15+"/questions/" + i16+"/url",schemaPath:"#/properties/run/properties/sent/items/properties/elicitation/properties/before/items/properties/questions/items/properties/url/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err328];
}
else {
vErrors.push(err328);
}
errors++;
}
}
}
else {
const err329 = {instancePath:instancePath+"/run/sent/" + i13+"/elicitation/before/" + i15+"/questions/" + i16,schemaPath:"#/properties/run/properties/sent/items/properties/elicitation/properties/before/items/properties/questions/items/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err329];
}
else {
vErrors.push(err329);
}
errors++;
}
}
}
else {
const err330 = {instancePath:instancePath+"/run/sent/" + i13+"/elicitation/before/" + i15+"/questions",schemaPath:"#/properties/run/properties/sent/items/properties/elicitation/properties/before/items/properties/questions/type",keyword:"type",params:{type: "array"},message:"must be array"};
if(vErrors === null){
vErrors = [err330];
}
else {
vErrors.push(err330);
}
errors++;
}
}
if(data154.answers !== undefined && func0.call(data154, "answers")){
let data162 = data154.answers;
if(!(data162 && typeof data162 == "object" && !Array.isArray(data162))){
const err331 = {instancePath:instancePath+"/run/sent/" + i13+"/elicitation/before/" + i15+"/answers",schemaPath:"#/properties/run/properties/sent/items/properties/elicitation/properties/before/items/properties/answers/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err331];
}
else {
vErrors.push(err331);
}
errors++;
}
}
}
else {
const err332 = {instancePath:instancePath+"/run/sent/" + i13+"/elicitation/before/" + i15,schemaPath:"#/properties/run/properties/sent/items/properties/elicitation/properties/before/items/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err332];
}
else {
vErrors.push(err332);
}
errors++;
}
}
}
else {
const err333 = {instancePath:instancePath+"/run/sent/" + i13+"/elicitation/before",schemaPath:"#/properties/run/properties/sent/items/properties/elicitation/properties/before/type",keyword:"type",params:{type: "array"},message:"must be array"};
if(vErrors === null){
vErrors = [err333];
}
else {
vErrors.push(err333);
}
errors++;
}
}
}
else {
const err334 = {instancePath:instancePath+"/run/sent/" + i13+"/elicitation",schemaPath:"#/properties/run/properties/sent/items/properties/elicitation/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err334];
}
else {
vErrors.push(err334);
}
errors++;
}
}
if(data126.agent !== undefined && func0.call(data126, "agent")){
let data163 = data126.agent;
if(data163 && typeof data163 == "object" && !Array.isArray(data163)){
if((data163.alias === undefined) || (!(func0.call(data163, "alias")))){
const err335 = {instancePath:instancePath+"/run/sent/" + i13+"/agent",schemaPath:"#/properties/run/properties/sent/items/properties/agent/required",keyword:"required",params:{missingProperty: "alias"},message:"must have required property '"+"alias"+"'"};
if(vErrors === null){
vErrors = [err335];
}
else {
vErrors.push(err335);
}
errors++;
}
if((data163.definition === undefined) || (!(func0.call(data163, "definition")))){
const err336 = {instancePath:instancePath+"/run/sent/" + i13+"/agent",schemaPath:"#/properties/run/properties/sent/items/properties/agent/required",keyword:"required",params:{missingProperty: "definition"},message:"must have required property '"+"definition"+"'"};
if(vErrors === null){
vErrors = [err336];
}
else {
vErrors.push(err336);
}
errors++;
}
if((data163.run_id === undefined) || (!(func0.call(data163, "run_id")))){
const err337 = {instancePath:instancePath+"/run/sent/" + i13+"/agent",schemaPath:"#/properties/run/properties/sent/items/properties/agent/required",keyword:"required",params:{missingProperty: "run_id"},message:"must have required property '"+"run_id"+"'"};
if(vErrors === null){
vErrors = [err337];
}
else {
vErrors.push(err337);
}
errors++;
}
if((data163.input === undefined) || (!(func0.call(data163, "input")))){
const err338 = {instancePath:instancePath+"/run/sent/" + i13+"/agent",schemaPath:"#/properties/run/properties/sent/items/properties/agent/required",keyword:"required",params:{missingProperty: "input"},message:"must have required property '"+"input"+"'"};
if(vErrors === null){
vErrors = [err338];
}
else {
vErrors.push(err338);
}
errors++;
}
if((data163.pass_context === undefined) || (!(func0.call(data163, "pass_context")))){
const err339 = {instancePath:instancePath+"/run/sent/" + i13+"/agent",schemaPath:"#/properties/run/properties/sent/items/properties/agent/required",keyword:"required",params:{missingProperty: "pass_context"},message:"must have required property '"+"pass_context"+"'"};
if(vErrors === null){
vErrors = [err339];
}
else {
vErrors.push(err339);
}
errors++;
}
if((data163.limits === undefined) || (!(func0.call(data163, "limits")))){
const err340 = {instancePath:instancePath+"/run/sent/" + i13+"/agent",schemaPath:"#/properties/run/properties/sent/items/properties/agent/required",keyword:"required",params:{missingProperty: "limits"},message:"must have required property '"+"limits"+"'"};
if(vErrors === null){
vErrors = [err340];
}
else {
vErrors.push(err340);
}
errors++;
}
for(const key25 of Object.keys(data163)){
if(!((((((((key25 === "alias") || (key25 === "definition")) || (key25 === "run_id")) || (key25 === "input")) || (key25 === "pass_context")) || (key25 === "memory")) || (key25 === "limits")) || (key25 === "instead_of"))){
const err341 = {instancePath:instancePath+"/run/sent/" + i13+"/agent",schemaPath:"#/properties/run/properties/sent/items/properties/agent/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key25},message:"must NOT have additional properties"};
if(vErrors === null){
vErrors = [err341];
}
else {
vErrors.push(err341);
}
errors++;
}
}
if(data163.alias !== undefined && func0.call(data163, "alias")){
if(typeof data163.alias !== "string"){
const err342 = {instancePath:instancePath+"/run/sent/" + i13+"/agent/alias",schemaPath:"#/properties/run/properties/sent/items/properties/agent/properties/alias/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err342];
}
else {
vErrors.push(err342);
}
errors++;
}
}
if(data163.definition !== undefined && func0.call(data163, "definition")){
if(typeof data163.definition !== "string"){
const err343 = {instancePath:instancePath+"/run/sent/" + i13+"/agent/definition",schemaPath:"#/properties/run/properties/sent/items/properties/agent/properties/definition/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err343];
}
else {
vErrors.push(err343);
}
errors++;
}
}
if(data163.run_id !== undefined && func0.call(data163, "run_id")){
if(typeof data163.run_id !== "string"){
const err344 = {instancePath:instancePath+"/run/sent/" + i13+"/agent/run_id",schemaPath:"#/properties/run/properties/sent/items/properties/agent/properties/run_id/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err344];
}
else {
vErrors.push(err344);
}
errors++;
}
}
if(data163.pass_context !== undefined && func0.call(data163, "pass_context")){
if(typeof data163.pass_context !== "boolean"){
const err345 = {instancePath:instancePath+"/run/sent/" + i13+"/agent/pass_context",schemaPath:"#/properties/run/properties/sent/items/properties/agent/properties/pass_context/type",keyword:"type",params:{type: "boolean"},message:"must be boolean"};
if(vErrors === null){
vErrors = [err345];
}
else {
vErrors.push(err345);
}
errors++;
}
}
if(data163.memory !== undefined && func0.call(data163, "memory")){
let data168 = data163.memory;
if(!(data168 && typeof data168 == "object" && !Array.isArray(data168))){
const err346 = {instancePath:instancePath+"/run/sent/" + i13+"/agent/memory",schemaPath:"#/properties/run/properties/sent/items/properties/agent/properties/memory/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err346];
}
else {
vErrors.push(err346);
}
errors++;
}
}
if(data163.limits !== undefined && func0.call(data163, "limits")){
let data169 = data163.limits;
if(data169 && typeof data169 == "object" && !Array.isArray(data169)){
for(const key26 of Object.keys(data169)){
if(!(((((key26 === "tokens") || (key26 === "usd")) || (key26 === "calls")) || (key26 === "deadline_at")) || (key26 === "deadline_of"))){
const err347 = {instancePath:instancePath+"/run/sent/" + i13+"/agent/limits",schemaPath:"#/properties/run/properties/sent/items/properties/agent/properties/limits/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key26},message:"must NOT have additional properties"};
if(vErrors === null){
vErrors = [err347];
}
else {
vErrors.push(err347);
}
errors++;
}
}
if(data169.tokens !== undefined && func0.call(data169, "tokens")){
let data170 = data169.tokens;
if((typeof data170 == "number") && (isFinite(data170))){
if(data170 < 0 || isNaN(data170)){
const err348 = {instancePath:instancePath+"/run/sent/" + i13+"/agent/limits/tokens",schemaPath:"#/properties/run/properties/sent/items/properties/agent/properties/limits/properties/tokens/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"};
if(vErrors === null){
vErrors = [err348];
}
else {
vErrors.push(err348);
}
errors++;
}
}
else {
const err349 = {instancePath:instancePath+"/run/sent/" + i13+"/agent/limits/tokens",schemaPath:"#/properties/run/properties/sent/items/properties/agent/properties/limits/properties/tokens/type",keyword:"type",params:{type: "number"},message:"must be number"};
if(vErrors === null){
vErrors = [err349];
}
else {
vErrors.push(err349);
}
errors++;
}
}
if(data169.usd !== undefined && func0.call(data169, "usd")){
let data171 = data169.usd;
if((typeof data171 == "number") && (isFinite(data171))){
if(data171 < 0 || isNaN(data171)){
const err350 = {instancePath:instancePath+"/run/sent/" + i13+"/agent/limits/usd",schemaPath:"#/properties/run/properties/sent/items/properties/agent/properties/limits/properties/usd/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"};
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
const err351 = {instancePath:instancePath+"/run/sent/" + i13+"/agent/limits/usd",schemaPath:"#/properties/run/properties/sent/items/properties/agent/properties/limits/properties/usd/type",keyword:"type",params:{type: "number"},message:"must be number"};
if(vErrors === null){
vErrors = [err351];
}
else {
vErrors.push(err351);
}
errors++;
}
}
if(data169.calls !== undefined && func0.call(data169, "calls")){
let data172 = data169.calls;
if((typeof data172 == "number") && (isFinite(data172))){
if(data172 < 0 || isNaN(data172)){
const err352 = {instancePath:instancePath+"/run/sent/" + i13+"/agent/limits/calls",schemaPath:"#/properties/run/properties/sent/items/properties/agent/properties/limits/properties/calls/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"};
if(vErrors === null){
vErrors = [err352];
}
else {
vErrors.push(err352);
}
errors++;
}
}
else {
const err353 = {instancePath:instancePath+"/run/sent/" + i13+"/agent/limits/calls",schemaPath:"#/properties/run/properties/sent/items/properties/agent/properties/limits/properties/calls/type",keyword:"type",params:{type: "number"},message:"must be number"};
if(vErrors === null){
vErrors = [err353];
}
else {
vErrors.push(err353);
}
errors++;
}
}
if(data169.deadline_at !== undefined && func0.call(data169, "deadline_at")){
let data173 = data169.deadline_at;
if((typeof data173 == "number") && (isFinite(data173))){
if(data173 < 0 || isNaN(data173)){
const err354 = {instancePath:instancePath+"/run/sent/" + i13+"/agent/limits/deadline_at",schemaPath:"#/properties/run/properties/sent/items/properties/agent/properties/limits/properties/deadline_at/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"};
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
const err355 = {instancePath:instancePath+"/run/sent/" + i13+"/agent/limits/deadline_at",schemaPath:"#/properties/run/properties/sent/items/properties/agent/properties/limits/properties/deadline_at/type",keyword:"type",params:{type: "number"},message:"must be number"};
if(vErrors === null){
vErrors = [err355];
}
else {
vErrors.push(err355);
}
errors++;
}
}
if(data169.deadline_of !== undefined && func0.call(data169, "deadline_of")){
let data174 = data169.deadline_of;
if(typeof data174 !== "string"){
const err356 = {instancePath:instancePath+"/run/sent/" + i13+"/agent/limits/deadline_of",schemaPath:"#/properties/run/properties/sent/items/properties/agent/properties/limits/properties/deadline_of/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err356];
}
else {
vErrors.push(err356);
}
errors++;
}
if(!((data174 === "runtime") || (data174 === "budget"))){
const err357 = {instancePath:instancePath+"/run/sent/" + i13+"/agent/limits/deadline_of",schemaPath:"#/properties/run/properties/sent/items/properties/agent/properties/limits/properties/deadline_of/enum",keyword:"enum",params:{allowedValues: schema31.properties.run.properties.sent.items.properties.agent.properties.limits.properties.deadline_of.enum},message:"must be equal to one of the allowed values"};
if(vErrors === null){
vErrors = [err357];
}
else {
vErrors.push(err357);
}
errors++;
}
}
}
else {
const err358 = {instancePath:instancePath+"/run/sent/" + i13+"/agent/limits",schemaPath:"#/properties/run/properties/sent/items/properties/agent/properties/limits/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err358];
}
else {
vErrors.push(err358);
}
errors++;
}
}
if(data163.instead_of !== undefined && func0.call(data163, "instead_of")){
if(typeof data163.instead_of !== "string"){
const err359 = {instancePath:instancePath+"/run/sent/" + i13+"/agent/instead_of",schemaPath:"#/properties/run/properties/sent/items/properties/agent/properties/instead_of/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err359];
}
else {
vErrors.push(err359);
}
errors++;
}
}
}
else {
const err360 = {instancePath:instancePath+"/run/sent/" + i13+"/agent",schemaPath:"#/properties/run/properties/sent/items/properties/agent/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err360];
}
else {
vErrors.push(err360);
}
errors++;
}
}
}
else {
const err361 = {instancePath:instancePath+"/run/sent/" + i13,schemaPath:"#/properties/run/properties/sent/items/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err361];
}
else {
vErrors.push(err361);
}
errors++;
}
}
}
else {
const err362 = {instancePath:instancePath+"/run/sent",schemaPath:"#/properties/run/properties/sent/type",keyword:"type",params:{type: "array"},message:"must be array"};
if(vErrors === null){
vErrors = [err362];
}
else {
vErrors.push(err362);
}
errors++;
}
}
if(data41.denied !== undefined && func0.call(data41, "denied")){
let data176 = data41.denied;
if(Array.isArray(data176)){
const len17 = data176.length;
for(let i17=0; i17<len17; i17++){
let data177 = data176[i17];
if(data177 && typeof data177 == "object" && !Array.isArray(data177)){
if((data177.agent_id === undefined) || (!(func0.call(data177, "agent_id")))){
const err363 = {instancePath:instancePath+"/run/denied/" + i17,schemaPath:"#/properties/run/properties/denied/items/required",keyword:"required",params:{missingProperty: "agent_id"},message:"must have required property '"+"agent_id"+"'"};
if(vErrors === null){
vErrors = [err363];
}
else {
vErrors.push(err363);
}
errors++;
}
if((data177.tool === undefined) || (!(func0.call(data177, "tool")))){
const err364 = {instancePath:instancePath+"/run/denied/" + i17,schemaPath:"#/properties/run/properties/denied/items/required",keyword:"required",params:{missingProperty: "tool"},message:"must have required property '"+"tool"+"'"};
if(vErrors === null){
vErrors = [err364];
}
else {
vErrors.push(err364);
}
errors++;
}
if((data177.args === undefined) || (!(func0.call(data177, "args")))){
const err365 = {instancePath:instancePath+"/run/denied/" + i17,schemaPath:"#/properties/run/properties/denied/items/required",keyword:"required",params:{missingProperty: "args"},message:"must have required property '"+"args"+"'"};
if(vErrors === null){
vErrors = [err365];
}
else {
vErrors.push(err365);
}
errors++;
}
if((data177.by === undefined) || (!(func0.call(data177, "by")))){
const err366 = {instancePath:instancePath+"/run/denied/" + i17,schemaPath:"#/properties/run/properties/denied/items/required",keyword:"required",params:{missingProperty: "by"},message:"must have required property '"+"by"+"'"};
if(vErrors === null){
vErrors = [err366];
}
else {
vErrors.push(err366);
}
errors++;
}
for(const key27 of Object.keys(data177)){
if(!(((((key27 === "agent_id") || (key27 === "tool")) || (key27 === "args")) || (key27 === "by")) || (key27 === "why"))){
const err367 = {instancePath:instancePath+"/run/denied/" + i17,schemaPath:"#/properties/run/properties/denied/items/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key27},message:"must NOT have additional properties"};
if(vErrors === null){
vErrors = [err367];
}
else {
vErrors.push(err367);
}
errors++;
}
}
if(data177.agent_id !== undefined && func0.call(data177, "agent_id")){
if(typeof data177.agent_id !== "string"){
const err368 = {instancePath:instancePath+"/run/denied/" + i17+"/agent_id",schemaPath:"#/properties/run/properties/denied/items/properties/agent_id/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err368];
}
else {
vErrors.push(err368);
}
errors++;
}
}
if(data177.tool !== undefined && func0.call(data177, "tool")){
if(typeof data177.tool !== "string"){
const err369 = {instancePath:instancePath+"/run/denied/" + i17+"/tool",schemaPath:"#/properties/run/properties/denied/items/properties/tool/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err369];
}
else {
vErrors.push(err369);
}
errors++;
}
}
if(data177.args !== undefined && func0.call(data177, "args")){
let data180 = data177.args;
if(!(data180 && typeof data180 == "object" && !Array.isArray(data180))){
const err370 = {instancePath:instancePath+"/run/denied/" + i17+"/args",schemaPath:"#/properties/run/properties/denied/items/properties/args/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err370];
}
else {
vErrors.push(err370);
}
errors++;
}
}
if(data177.by !== undefined && func0.call(data177, "by")){
if(typeof data177.by !== "string"){
const err371 = {instancePath:instancePath+"/run/denied/" + i17+"/by",schemaPath:"#/properties/run/properties/denied/items/properties/by/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err371];
}
else {
vErrors.push(err371);
}
errors++;
}
}
if(data177.why !== undefined && func0.call(data177, "why")){
if(typeof data177.why !== "string"){
const err372 = {instancePath:instancePath+"/run/denied/" + i17+"/why",schemaPath:"#/properties/run/properties/denied/items/properties/why/type",keyword:"type",params:{type: "string"},message:"must be string"};
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
else {
const err373 = {instancePath:instancePath+"/run/denied/" + i17,schemaPath:"#/properties/run/properties/denied/items/type",keyword:"type",params:{type: "object"},message:"must be object"};
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
const err374 = {instancePath:instancePath+"/run/denied",schemaPath:"#/properties/run/properties/denied/type",keyword:"type",params:{type: "array"},message:"must be array"};
if(vErrors === null){
vErrors = [err374];
}
else {
vErrors.push(err374);
}
errors++;
}
}
if(data41.unsettled !== undefined && func0.call(data41, "unsettled")){
let data183 = data41.unsettled;
if(Array.isArray(data183)){
const len18 = data183.length;
for(let i18=0; i18<len18; i18++){
let data184 = data183[i18];
if(data184 && typeof data184 == "object" && !Array.isArray(data184)){
if((data184.id === undefined) || (!(func0.call(data184, "id")))){
const err375 = {instancePath:instancePath+"/run/unsettled/" + i18,schemaPath:"#/properties/run/properties/unsettled/items/required",keyword:"required",params:{missingProperty: "id"},message:"must have required property '"+"id"+"'"};
if(vErrors === null){
vErrors = [err375];
}
else {
vErrors.push(err375);
}
errors++;
}
if((data184.tool === undefined) || (!(func0.call(data184, "tool")))){
const err376 = {instancePath:instancePath+"/run/unsettled/" + i18,schemaPath:"#/properties/run/properties/unsettled/items/required",keyword:"required",params:{missingProperty: "tool"},message:"must have required property '"+"tool"+"'"};
if(vErrors === null){
vErrors = [err376];
}
else {
vErrors.push(err376);
}
errors++;
}
if((data184.args === undefined) || (!(func0.call(data184, "args")))){
const err377 = {instancePath:instancePath+"/run/unsettled/" + i18,schemaPath:"#/properties/run/properties/unsettled/items/required",keyword:"required",params:{missingProperty: "args"},message:"must have required property '"+"args"+"'"};
if(vErrors === null){
vErrors = [err377];
}
else {
vErrors.push(err377);
}
errors++;
}
if((data184.key === undefined) || (!(func0.call(data184, "key")))){
const err378 = {instancePath:instancePath+"/run/unsettled/" + i18,schemaPath:"#/properties/run/properties/unsettled/items/required",keyword:"required",params:{missingProperty: "key"},message:"must have required property '"+"key"+"'"};
if(vErrors === null){
vErrors = [err378];
}
else {
vErrors.push(err378);
}
errors++;
}
if((data184.effect === undefined) || (!(func0.call(data184, "effect")))){
const err379 = {instancePath:instancePath+"/run/unsettled/" + i18,schemaPath:"#/properties/run/properties/unsettled/items/required",keyword:"required",params:{missingProperty: "effect"},message:"must have required property '"+"effect"+"'"};
if(vErrors === null){
vErrors = [err379];
}
else {
vErrors.push(err379);
}
errors++;
}
if((data184.status === undefined) || (!(func0.call(data184, "status")))){
const err380 = {instancePath:instancePath+"/run/unsettled/" + i18,schemaPath:"#/properties/run/properties/unsettled/items/required",keyword:"required",params:{missingProperty: "status"},message:"must have required property '"+"status"+"'"};
if(vErrors === null){
vErrors = [err380];
}
else {
vErrors.push(err380);
}
errors++;
}
for(const key28 of Object.keys(data184)){
if(!(func0.call(schema31.properties.run.properties.unsettled.items.properties, key28))){
const err381 = {instancePath:instancePath+"/run/unsettled/" + i18,schemaPath:"#/properties/run/properties/unsettled/items/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key28},message:"must NOT have additional properties"};
if(vErrors === null){
vErrors = [err381];
}
else {
vErrors.push(err381);
}
errors++;
}
}
if(data184.id !== undefined && func0.call(data184, "id")){
if(typeof data184.id !== "string"){
const err382 = {instancePath:instancePath+"/run/unsettled/" + i18+"/id",schemaPath:"#/properties/run/properties/unsettled/items/properties/id/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err382];
}
else {
vErrors.push(err382);
}
errors++;
}
}
if(data184.tool !== undefined && func0.call(data184, "tool")){
if(typeof data184.tool !== "string"){
const err383 = {instancePath:instancePath+"/run/unsettled/" + i18+"/tool",schemaPath:"#/properties/run/properties/unsettled/items/properties/tool/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err383];
}
else {
vErrors.push(err383);
}
errors++;
}
}
if(data184.args !== undefined && func0.call(data184, "args")){
let data187 = data184.args;
if(!(data187 && typeof data187 == "object" && !Array.isArray(data187))){
const err384 = {instancePath:instancePath+"/run/unsettled/" + i18+"/args",schemaPath:"#/properties/run/properties/unsettled/items/properties/args/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err384];
}
else {
vErrors.push(err384);
}
errors++;
}
}
if(data184.key !== undefined && func0.call(data184, "key")){
if(typeof data184.key !== "string"){
const err385 = {instancePath:instancePath+"/run/unsettled/" + i18+"/key",schemaPath:"#/properties/run/properties/unsettled/items/properties/key/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err385];
}
else {
vErrors.push(err385);
}
errors++;
}
}
if(data184.effect !== undefined && func0.call(data184, "effect")){
let data189 = data184.effect;
if(typeof data189 !== "string"){
const err386 = {instancePath:instancePath+"/run/unsettled/" + i18+"/effect",schemaPath:"#/properties/run/properties/unsettled/items/properties/effect/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err386];
}
else {
vErrors.push(err386);
}
errors++;
}
if(!(((data189 === "none") || (data189 === "idempotent")) || (data189 === "once"))){
const err387 = {instancePath:instancePath+"/run/unsettled/" + i18+"/effect",schemaPath:"#/properties/run/properties/unsettled/items/properties/effect/enum",keyword:"enum",params:{allowedValues: schema31.properties.run.properties.unsettled.items.properties.effect.enum},message:"must be equal to one of the allowed values"};
if(vErrors === null){
vErrors = [err387];
}
else {
vErrors.push(err387);
}
errors++;
}
}
if(data184.status !== undefined && func0.call(data184, "status")){
let data190 = data184.status;
if(typeof data190 !== "string"){
const err388 = {instancePath:instancePath+"/run/unsettled/" + i18+"/status",schemaPath:"#/properties/run/properties/unsettled/items/properties/status/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err388];
}
else {
vErrors.push(err388);
}
errors++;
}
if(!((((((((data190 === "queued") || (data190 === "judging")) || (data190 === "asking")) || (data190 === "input_required")) || (data190 === "held")) || (data190 === "sent")) || (data190 === "unknown")) || (data190 === "done"))){
const err389 = {instancePath:instancePath+"/run/unsettled/" + i18+"/status",schemaPath:"#/properties/run/properties/unsettled/items/properties/status/enum",keyword:"enum",params:{allowedValues: schema31.properties.run.properties.unsettled.items.properties.status.enum},message:"must be equal to one of the allowed values"};
if(vErrors === null){
vErrors = [err389];
}
else {
vErrors.push(err389);
}
errors++;
}
}
if(data184.unasked !== undefined && func0.call(data184, "unasked")){
if(typeof data184.unasked !== "boolean"){
const err390 = {instancePath:instancePath+"/run/unsettled/" + i18+"/unasked",schemaPath:"#/properties/run/properties/unsettled/items/properties/unasked/type",keyword:"type",params:{type: "boolean"},message:"must be boolean"};
if(vErrors === null){
vErrors = [err390];
}
else {
vErrors.push(err390);
}
errors++;
}
}
if(data184.error !== undefined && func0.call(data184, "error")){
if(typeof data184.error !== "boolean"){
const err391 = {instancePath:instancePath+"/run/unsettled/" + i18+"/error",schemaPath:"#/properties/run/properties/unsettled/items/properties/error/type",keyword:"type",params:{type: "boolean"},message:"must be boolean"};
if(vErrors === null){
vErrors = [err391];
}
else {
vErrors.push(err391);
}
errors++;
}
}
if(data184.asked_at !== undefined && func0.call(data184, "asked_at")){
let data193 = data184.asked_at;
if((typeof data193 == "number") && (isFinite(data193))){
if(data193 < 0 || isNaN(data193)){
const err392 = {instancePath:instancePath+"/run/unsettled/" + i18+"/asked_at",schemaPath:"#/properties/run/properties/unsettled/items/properties/asked_at/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"};
if(vErrors === null){
vErrors = [err392];
}
else {
vErrors.push(err392);
}
errors++;
}
}
else {
const err393 = {instancePath:instancePath+"/run/unsettled/" + i18+"/asked_at",schemaPath:"#/properties/run/properties/unsettled/items/properties/asked_at/type",keyword:"type",params:{type: "number"},message:"must be number"};
if(vErrors === null){
vErrors = [err393];
}
else {
vErrors.push(err393);
}
errors++;
}
}
if(data184.unsettled !== undefined && func0.call(data184, "unsettled")){
if(typeof data184.unsettled !== "boolean"){
const err394 = {instancePath:instancePath+"/run/unsettled/" + i18+"/unsettled",schemaPath:"#/properties/run/properties/unsettled/items/properties/unsettled/type",keyword:"type",params:{type: "boolean"},message:"must be boolean"};
if(vErrors === null){
vErrors = [err394];
}
else {
vErrors.push(err394);
}
errors++;
}
}
if(data184.by_origin !== undefined && func0.call(data184, "by_origin")){
if(typeof data184.by_origin !== "boolean"){
const err395 = {instancePath:instancePath+"/run/unsettled/" + i18+"/by_origin",schemaPath:"#/properties/run/properties/unsettled/items/properties/by_origin/type",keyword:"type",params:{type: "boolean"},message:"must be boolean"};
if(vErrors === null){
vErrors = [err395];
}
else {
vErrors.push(err395);
}
errors++;
}
}
if(data184.why !== undefined && func0.call(data184, "why")){
if(typeof data184.why !== "string"){
const err396 = {instancePath:instancePath+"/run/unsettled/" + i18+"/why",schemaPath:"#/properties/run/properties/unsettled/items/properties/why/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err396];
}
else {
vErrors.push(err396);
}
errors++;
}
}
if(data184.lapses_at !== undefined && func0.call(data184, "lapses_at")){
let data197 = data184.lapses_at;
if((typeof data197 == "number") && (isFinite(data197))){
if(data197 < 0 || isNaN(data197)){
const err397 = {instancePath:instancePath+"/run/unsettled/" + i18+"/lapses_at",schemaPath:"#/properties/run/properties/unsettled/items/properties/lapses_at/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"};
if(vErrors === null){
vErrors = [err397];
}
else {
vErrors.push(err397);
}
errors++;
}
}
else {
const err398 = {instancePath:instancePath+"/run/unsettled/" + i18+"/lapses_at",schemaPath:"#/properties/run/properties/unsettled/items/properties/lapses_at/type",keyword:"type",params:{type: "number"},message:"must be number"};
if(vErrors === null){
vErrors = [err398];
}
else {
vErrors.push(err398);
}
errors++;
}
}
if(data184.unfit !== undefined && func0.call(data184, "unfit")){
if(typeof data184.unfit !== "string"){
const err399 = {instancePath:instancePath+"/run/unsettled/" + i18+"/unfit",schemaPath:"#/properties/run/properties/unsettled/items/properties/unfit/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err399];
}
else {
vErrors.push(err399);
}
errors++;
}
}
if(data184.proposed !== undefined && func0.call(data184, "proposed")){
let data199 = data184.proposed;
if(!(data199 && typeof data199 == "object" && !Array.isArray(data199))){
const err400 = {instancePath:instancePath+"/run/unsettled/" + i18+"/proposed",schemaPath:"#/properties/run/properties/unsettled/items/properties/proposed/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err400];
}
else {
vErrors.push(err400);
}
errors++;
}
}
if(data184.elicitation !== undefined && func0.call(data184, "elicitation")){
let data200 = data184.elicitation;
if(data200 && typeof data200 == "object" && !Array.isArray(data200)){
if((data200.round === undefined) || (!(func0.call(data200, "round")))){
const err401 = {instancePath:instancePath+"/run/unsettled/" + i18+"/elicitation",schemaPath:"#/properties/run/properties/unsettled/items/properties/elicitation/required",keyword:"required",params:{missingProperty: "round"},message:"must have required property '"+"round"+"'"};
if(vErrors === null){
vErrors = [err401];
}
else {
vErrors.push(err401);
}
errors++;
}
if((data200.questions === undefined) || (!(func0.call(data200, "questions")))){
const err402 = {instancePath:instancePath+"/run/unsettled/" + i18+"/elicitation",schemaPath:"#/properties/run/properties/unsettled/items/properties/elicitation/required",keyword:"required",params:{missingProperty: "questions"},message:"must have required property '"+"questions"+"'"};
if(vErrors === null){
vErrors = [err402];
}
else {
vErrors.push(err402);
}
errors++;
}
for(const key29 of Object.keys(data200)){
if(!(((((key29 === "round") || (key29 === "questions")) || (key29 === "request_state")) || (key29 === "answers")) || (key29 === "before"))){
const err403 = {instancePath:instancePath+"/run/unsettled/" + i18+"/elicitation",schemaPath:"#/properties/run/properties/unsettled/items/properties/elicitation/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key29},message:"must NOT have additional properties"};
if(vErrors === null){
vErrors = [err403];
}
else {
vErrors.push(err403);
}
errors++;
}
}
if(data200.round !== undefined && func0.call(data200, "round")){
let data201 = data200.round;
if(!(((typeof data201 == "number") && (!(data201 % 1) && !isNaN(data201))) && (isFinite(data201)))){
const err404 = {instancePath:instancePath+"/run/unsettled/" + i18+"/elicitation/round",schemaPath:"#/properties/run/properties/unsettled/items/properties/elicitation/properties/round/type",keyword:"type",params:{type: "integer"},message:"must be integer"};
if(vErrors === null){
vErrors = [err404];
}
else {
vErrors.push(err404);
}
errors++;
}
if((typeof data201 == "number") && (isFinite(data201))){
if(data201 < 0 || isNaN(data201)){
const err405 = {instancePath:instancePath+"/run/unsettled/" + i18+"/elicitation/round",schemaPath:"#/properties/run/properties/unsettled/items/properties/elicitation/properties/round/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"};
if(vErrors === null){
vErrors = [err405];
}
else {
vErrors.push(err405);
}
errors++;
}
}
}
if(data200.questions !== undefined && func0.call(data200, "questions")){
let data202 = data200.questions;
if(Array.isArray(data202)){
const len19 = data202.length;
for(let i19=0; i19<len19; i19++){
let data203 = data202[i19];
if(data203 && typeof data203 == "object" && !Array.isArray(data203)){
if((data203.key === undefined) || (!(func0.call(data203, "key")))){
const err406 = {instancePath:instancePath+"/run/unsettled/" + i18+"/elicitation/questions/" + i19,schemaPath:"#/properties/run/properties/unsettled/items/properties/elicitation/properties/questions/items/required",keyword:"required",params:{missingProperty: "key"},message:"must have required property '"+"key"+"'"};
if(vErrors === null){
vErrors = [err406];
}
else {
vErrors.push(err406);
}
errors++;
}
if((data203.mode === undefined) || (!(func0.call(data203, "mode")))){
const err407 = {instancePath:instancePath+"/run/unsettled/" + i18+"/elicitation/questions/" + i19,schemaPath:"#/properties/run/properties/unsettled/items/properties/elicitation/properties/questions/items/required",keyword:"required",params:{missingProperty: "mode"},message:"must have required property '"+"mode"+"'"};
if(vErrors === null){
vErrors = [err407];
}
else {
vErrors.push(err407);
}
errors++;
}
if((data203.message === undefined) || (!(func0.call(data203, "message")))){
const err408 = {instancePath:instancePath+"/run/unsettled/" + i18+"/elicitation/questions/" + i19,schemaPath:"#/properties/run/properties/unsettled/items/properties/elicitation/properties/questions/items/required",keyword:"required",params:{missingProperty: "message"},message:"must have required property '"+"message"+"'"};
if(vErrors === null){
vErrors = [err408];
}
else {
vErrors.push(err408);
}
errors++;
}
for(const key30 of Object.keys(data203)){
if(!(((((key30 === "key") || (key30 === "mode")) || (key30 === "message")) || (key30 === "schema")) || (key30 === "url"))){
const err409 = {instancePath:instancePath+"/run/unsettled/" + i18+"/elicitation/questions/" + i19,schemaPath:"#/properties/run/properties/unsettled/items/properties/elicitation/properties/questions/items/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key30},message:"must NOT have additional properties"};
if(vErrors === null){
vErrors = [err409];
}
else {
vErrors.push(err409);
}
errors++;
}
}
if(data203.key !== undefined && func0.call(data203, "key")){
if(typeof data203.key !== "string"){
const err410 = {instancePath:instancePath+"/run/unsettled/" + i18+"/elicitation/questions/" + i19+"/key",schemaPath:"#/properties/run/properties/unsettled/items/properties/elicitation/properties/questions/items/properties/key/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err410];
}
else {
vErrors.push(err410);
}
errors++;
}
}
if(data203.mode !== undefined && func0.call(data203, "mode")){
let data205 = data203.mode;
if(typeof data205 !== "string"){
const err411 = {instancePath:instancePath+"/run/unsettled/" + i18+"/elicitation/questions/" + i19+"/mode",schemaPath:"#/properties/run/properties/unsettled/items/properties/elicitation/properties/questions/items/properties/mode/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err411];
}
else {
vErrors.push(err411);
}
errors++;
}
if(!((data205 === "form") || (data205 === "url"))){
const err412 = {instancePath:instancePath+"/run/unsettled/" + i18+"/elicitation/questions/" + i19+"/mode",schemaPath:"#/properties/run/properties/unsettled/items/properties/elicitation/properties/questions/items/properties/mode/enum",keyword:"enum",params:{allowedValues: schema31.properties.run.properties.unsettled.items.properties.elicitation.properties.questions.items.properties.mode.enum},message:"must be equal to one of the allowed values"};
if(vErrors === null){
vErrors = [err412];
}
else {
vErrors.push(err412);
}
errors++;
}
}
if(data203.message !== undefined && func0.call(data203, "message")){
if(typeof data203.message !== "string"){
const err413 = {instancePath:instancePath+"/run/unsettled/" + i18+"/elicitation/questions/" + i19+"/message",schemaPath:"#/properties/run/properties/unsettled/items/properties/elicitation/properties/questions/items/properties/message/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err413];
}
else {
vErrors.push(err413);
}
errors++;
}
}
if(data203.schema !== undefined && func0.call(data203, "schema")){
let data207 = data203.schema;
if(!(data207 && typeof data207 == "object" && !Array.isArray(data207))){
const err414 = {instancePath:instancePath+"/run/unsettled/" + i18+"/elicitation/questions/" + i19+"/schema",schemaPath:"#/properties/run/properties/unsettled/items/properties/elicitation/properties/questions/items/properties/schema/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err414];
}
else {
vErrors.push(err414);
}
errors++;
}
}
if(data203.url !== undefined && func0.call(data203, "url")){
if(typeof data203.url !== "string"){
const err415 = {instancePath:instancePath+"/run/unsettled/" + i18+"/elicitation/questions/" + i19+"/url",schemaPath:"#/properties/run/properties/unsettled/items/properties/elicitation/properties/questions/items/properties/url/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err415];
}
else {
vErrors.push(err415);
}
errors++;
}
}
}
else {
const err416 = {instancePath:instancePath+"/run/unsettled/" + i18+"/elicitation/questions/" + i19,schemaPath:"#/properties/run/properties/unsettled/items/properties/elicitation/properties/questions/items/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err416];
}
else {
vErrors.push(err416);
}
errors++;
}
}
}
else {
const err417 = {instancePath:instancePath+"/run/unsettled/" + i18+"/elicitation/questions",schemaPath:"#/properties/run/properties/unsettled/items/properties/elicitation/properties/questions/type",keyword:"type",params:{type: "array"},message:"must be array"};
if(vErrors === null){
vErrors = [err417];
}
else {
vErrors.push(err417);
}
errors++;
}
}
if(data200.request_state !== undefined && func0.call(data200, "request_state")){
if(typeof data200.request_state !== "string"){
const err418 = {instancePath:instancePath+"/run/unsettled/" + i18+"/elicitation/request_state",schemaPath:"#/properties/run/properties/unsettled/items/properties/elicitation/properties/request_state/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err418];
}
else {
vErrors.push(err418);
}
errors++;
}
}
if(data200.answers !== undefined && func0.call(data200, "answers")){
let data210 = data200.answers;
if(!(data210 && typeof data210 == "object" && !Array.isArray(data210))){
const err419 = {instancePath:instancePath+"/run/unsettled/" + i18+"/elicitation/answers",schemaPath:"#/properties/run/properties/unsettled/items/properties/elicitation/properties/answers/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err419];
}
else {
vErrors.push(err419);
}
errors++;
}
}
if(data200.before !== undefined && func0.call(data200, "before")){
let data211 = data200.before;
if(Array.isArray(data211)){
const len20 = data211.length;
for(let i20=0; i20<len20; i20++){
let data212 = data211[i20];
if(data212 && typeof data212 == "object" && !Array.isArray(data212)){
if((data212.questions === undefined) || (!(func0.call(data212, "questions")))){
const err420 = {instancePath:instancePath+"/run/unsettled/" + i18+"/elicitation/before/" + i20,schemaPath:"#/properties/run/properties/unsettled/items/properties/elicitation/properties/before/items/required",keyword:"required",params:{missingProperty: "questions"},message:"must have required property '"+"questions"+"'"};
if(vErrors === null){
vErrors = [err420];
}
else {
vErrors.push(err420);
}
errors++;
}
if((data212.answers === undefined) || (!(func0.call(data212, "answers")))){
const err421 = {instancePath:instancePath+"/run/unsettled/" + i18+"/elicitation/before/" + i20,schemaPath:"#/properties/run/properties/unsettled/items/properties/elicitation/properties/before/items/required",keyword:"required",params:{missingProperty: "answers"},message:"must have required property '"+"answers"+"'"};
if(vErrors === null){
vErrors = [err421];
}
else {
vErrors.push(err421);
}
errors++;
}
for(const key31 of Object.keys(data212)){
if(!((key31 === "questions") || (key31 === "answers"))){
const err422 = {instancePath:instancePath+"/run/unsettled/" + i18+"/elicitation/before/" + i20,schemaPath:"#/properties/run/properties/unsettled/items/properties/elicitation/properties/before/items/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key31},message:"must NOT have additional properties"};
if(vErrors === null){
vErrors = [err422];
}
else {
vErrors.push(err422);
}
errors++;
}
}
if(data212.questions !== undefined && func0.call(data212, "questions")){
let data213 = data212.questions;
if(Array.isArray(data213)){
const len21 = data213.length;
for(let i21=0; i21<len21; i21++){
let data214 = data213[i21];
if(data214 && typeof data214 == "object" && !Array.isArray(data214)){
if((data214.key === undefined) || (!(func0.call(data214, "key")))){
const err423 = {instancePath:instancePath+"/run/unsettled/" + i18+"/elicitation/before/" + i20+"/questions/" + i21,schemaPath:"#/properties/run/properties/unsettled/items/properties/elicitation/properties/before/items/properties/questions/items/required",keyword:"required",params:{missingProperty: "key"},message:"must have required property '"+"key"+"'"};
if(vErrors === null){
vErrors = [err423];
}
else {
vErrors.push(err423);
}
errors++;
}
if((data214.mode === undefined) || (!(func0.call(data214, "mode")))){
const err424 = {instancePath:instancePath+"/run/unsettled/" + i18+"/elicitation/before/" + i20+"/questions/" + i21,schemaPath:"#/properties/run/properties/unsettled/items/properties/elicitation/properties/before/items/properties/questions/items/required",keyword:"required",params:{missingProperty: "mode"},message:"must have required property '"+"mode"+"'"};
if(vErrors === null){
vErrors = [err424];
}
else {
vErrors.push(err424);
}
errors++;
}
if((data214.message === undefined) || (!(func0.call(data214, "message")))){
const err425 = {instancePath:instancePath+"/run/unsettled/" + i18+"/elicitation/before/" + i20+"/questions/" + i21,schemaPath:"#/properties/run/properties/unsettled/items/properties/elicitation/properties/before/items/properties/questions/items/required",keyword:"required",params:{missingProperty: "message"},message:"must have required property '"+"message"+"'"};
if(vErrors === null){
vErrors = [err425];
}
else {
vErrors.push(err425);
}
errors++;
}
for(const key32 of Object.keys(data214)){
if(!(((((key32 === "key") || (key32 === "mode")) || (key32 === "message")) || (key32 === "schema")) || (key32 === "url"))){
const err426 = {instancePath:instancePath+"/run/unsettled/" + i18+"/elicitation/before/" + i20+"/questions/" + i21,schemaPath:"#/properties/run/properties/unsettled/items/properties/elicitation/properties/before/items/properties/questions/items/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key32},message:"must NOT have additional properties"};
if(vErrors === null){
vErrors = [err426];
}
else {
vErrors.push(err426);
}
errors++;
}
}
if(data214.key !== undefined && func0.call(data214, "key")){
if(typeof data214.key !== "string"){
const err427 = {instancePath:instancePath+"/run/unsettled/" + i18+"/elicitation/before/" + i20+"/questions/" + i21+"/key",schemaPath:"#/properties/run/properties/unsettled/items/properties/elicitation/properties/before/items/properties/questions/items/properties/key/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err427];
}
else {
vErrors.push(err427);
}
errors++;
}
}
if(data214.mode !== undefined && func0.call(data214, "mode")){
let data216 = data214.mode;
if(typeof data216 !== "string"){
const err428 = {instancePath:instancePath+"/run/unsettled/" + i18+"/elicitation/before/" + i20+"/questions/" + i21+"/mode",schemaPath:"#/properties/run/properties/unsettled/items/properties/elicitation/properties/before/items/properties/questions/items/properties/mode/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err428];
}
else {
vErrors.push(err428);
}
errors++;
}
if(!((data216 === "form") || (data216 === "url"))){
const err429 = {instancePath:instancePath+"/run/unsettled/" + i18+"/elicitation/before/" + i20+"/questions/" + i21+"/mode",schemaPath:"#/properties/run/properties/unsettled/items/properties/elicitation/properties/before/items/properties/questions/items/properties/mode/enum",keyword:"enum",params:{allowedValues: schema31.properties.run.properties.unsettled.items.properties.elicitation.properties.before.items.properties.questions.items.properties.mode.enum},message:"must be equal to one of the allowed values"};
if(vErrors === null){
vErrors = [err429];
}
else {
vErrors.push(err429);
}
errors++;
}
}
if(data214.message !== undefined && func0.call(data214, "message")){
if(typeof data214.message !== "string"){
const err430 = {instancePath:instancePath+"/run/unsettled/" + i18+"/elicitation/before/" + i20+"/questions/" + i21+"/message",schemaPath:"#/properties/run/properties/unsettled/items/properties/elicitation/properties/before/items/properties/questions/items/properties/message/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err430];
}
else {
vErrors.push(err430);
}
errors++;
}
}
if(data214.schema !== undefined && func0.call(data214, "schema")){
let data218 = data214.schema;
if(!(data218 && typeof data218 == "object" && !Array.isArray(data218))){
const err431 = {instancePath:instancePath+"/run/unsettled/" + i18+"/elicitation/before/" + i20+"/questions/" + i21+"/schema",schemaPath:"#/properties/run/properties/unsettled/items/properties/elicitation/properties/before/items/properties/questions/items/properties/schema/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err431];
}
else {
vErrors.push(err431);
}
errors++;
}
}
if(data214.url !== undefined && func0.call(data214, "url")){
if(typeof data214.url !== "string"){
const err432 = {instancePath:instancePath+"/run/unsettled/" + i18+"/elicitation/before/" + i20+"/questions/" + i21+"/url",schemaPath:"#/properties/run/properties/unsettled/items/properties/elicitation/properties/before/items/properties/questions/items/properties/url/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err432];
}
else {
vErrors.push(err432);
}
errors++;
}
}
}
else {
const err433 = {instancePath:instancePath+"/run/unsettled/" + i18+"/elicitation/before/" + i20+"/questions/" + i21,schemaPath:"#/properties/run/properties/unsettled/items/properties/elicitation/properties/before/items/properties/questions/items/type",keyword:"type",params:{type: "object"},message:"must be object"};
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
else {
const err434 = {instancePath:instancePath+"/run/unsettled/" + i18+"/elicitation/before/" + i20+"/questions",schemaPath:"#/properties/run/properties/unsettled/items/properties/elicitation/properties/before/items/properties/questions/type",keyword:"type",params:{type: "array"},message:"must be array"};
if(vErrors === null){
vErrors = [err434];
}
else {
vErrors.push(err434);
}
errors++;
}
}
if(data212.answers !== undefined && func0.call(data212, "answers")){
let data220 = data212.answers;
if(!(data220 && typeof data220 == "object" && !Array.isArray(data220))){
const err435 = {instancePath:instancePath+"/run/unsettled/" + i18+"/elicitation/before/" + i20+"/answers",schemaPath:"#/properties/run/properties/unsettled/items/properties/elicitation/properties/before/items/properties/answers/type",keyword:"type",params:{type: "object"},message:"must be object"};
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
else {
const err436 = {instancePath:instancePath+"/run/unsettled/" + i18+"/elicitation/before/" + i20,schemaPath:"#/properties/run/properties/unsettled/items/properties/elicitation/properties/before/items/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err436];
}
else {
vErrors.push(err436);
}
errors++;
}
}
}
else {
const err437 = {instancePath:instancePath+"/run/unsettled/" + i18+"/elicitation/before",schemaPath:"#/properties/run/properties/unsettled/items/properties/elicitation/properties/before/type",keyword:"type",params:{type: "array"},message:"must be array"};
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
const err438 = {instancePath:instancePath+"/run/unsettled/" + i18+"/elicitation",schemaPath:"#/properties/run/properties/unsettled/items/properties/elicitation/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err438];
}
else {
vErrors.push(err438);
}
errors++;
}
}
if(data184.agent !== undefined && func0.call(data184, "agent")){
let data221 = data184.agent;
if(data221 && typeof data221 == "object" && !Array.isArray(data221)){
if((data221.alias === undefined) || (!(func0.call(data221, "alias")))){
const err439 = {instancePath:instancePath+"/run/unsettled/" + i18+"/agent",schemaPath:"#/properties/run/properties/unsettled/items/properties/agent/required",keyword:"required",params:{missingProperty: "alias"},message:"must have required property '"+"alias"+"'"};
if(vErrors === null){
vErrors = [err439];
}
else {
vErrors.push(err439);
}
errors++;
}
if((data221.definition === undefined) || (!(func0.call(data221, "definition")))){
const err440 = {instancePath:instancePath+"/run/unsettled/" + i18+"/agent",schemaPath:"#/properties/run/properties/unsettled/items/properties/agent/required",keyword:"required",params:{missingProperty: "definition"},message:"must have required property '"+"definition"+"'"};
if(vErrors === null){
vErrors = [err440];
}
else {
vErrors.push(err440);
}
errors++;
}
if((data221.run_id === undefined) || (!(func0.call(data221, "run_id")))){
const err441 = {instancePath:instancePath+"/run/unsettled/" + i18+"/agent",schemaPath:"#/properties/run/properties/unsettled/items/properties/agent/required",keyword:"required",params:{missingProperty: "run_id"},message:"must have required property '"+"run_id"+"'"};
if(vErrors === null){
vErrors = [err441];
}
else {
vErrors.push(err441);
}
errors++;
}
if((data221.input === undefined) || (!(func0.call(data221, "input")))){
const err442 = {instancePath:instancePath+"/run/unsettled/" + i18+"/agent",schemaPath:"#/properties/run/properties/unsettled/items/properties/agent/required",keyword:"required",params:{missingProperty: "input"},message:"must have required property '"+"input"+"'"};
if(vErrors === null){
vErrors = [err442];
}
else {
vErrors.push(err442);
}
errors++;
}
if((data221.pass_context === undefined) || (!(func0.call(data221, "pass_context")))){
const err443 = {instancePath:instancePath+"/run/unsettled/" + i18+"/agent",schemaPath:"#/properties/run/properties/unsettled/items/properties/agent/required",keyword:"required",params:{missingProperty: "pass_context"},message:"must have required property '"+"pass_context"+"'"};
if(vErrors === null){
vErrors = [err443];
}
else {
vErrors.push(err443);
}
errors++;
}
if((data221.limits === undefined) || (!(func0.call(data221, "limits")))){
const err444 = {instancePath:instancePath+"/run/unsettled/" + i18+"/agent",schemaPath:"#/properties/run/properties/unsettled/items/properties/agent/required",keyword:"required",params:{missingProperty: "limits"},message:"must have required property '"+"limits"+"'"};
if(vErrors === null){
vErrors = [err444];
}
else {
vErrors.push(err444);
}
errors++;
}
for(const key33 of Object.keys(data221)){
if(!((((((((key33 === "alias") || (key33 === "definition")) || (key33 === "run_id")) || (key33 === "input")) || (key33 === "pass_context")) || (key33 === "memory")) || (key33 === "limits")) || (key33 === "instead_of"))){
const err445 = {instancePath:instancePath+"/run/unsettled/" + i18+"/agent",schemaPath:"#/properties/run/properties/unsettled/items/properties/agent/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key33},message:"must NOT have additional properties"};
if(vErrors === null){
vErrors = [err445];
}
else {
vErrors.push(err445);
}
errors++;
}
}
if(data221.alias !== undefined && func0.call(data221, "alias")){
if(typeof data221.alias !== "string"){
const err446 = {instancePath:instancePath+"/run/unsettled/" + i18+"/agent/alias",schemaPath:"#/properties/run/properties/unsettled/items/properties/agent/properties/alias/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err446];
}
else {
vErrors.push(err446);
}
errors++;
}
}
if(data221.definition !== undefined && func0.call(data221, "definition")){
if(typeof data221.definition !== "string"){
const err447 = {instancePath:instancePath+"/run/unsettled/" + i18+"/agent/definition",schemaPath:"#/properties/run/properties/unsettled/items/properties/agent/properties/definition/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err447];
}
else {
vErrors.push(err447);
}
errors++;
}
}
if(data221.run_id !== undefined && func0.call(data221, "run_id")){
if(typeof data221.run_id !== "string"){
const err448 = {instancePath:instancePath+"/run/unsettled/" + i18+"/agent/run_id",schemaPath:"#/properties/run/properties/unsettled/items/properties/agent/properties/run_id/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err448];
}
else {
vErrors.push(err448);
}
errors++;
}
}
if(data221.pass_context !== undefined && func0.call(data221, "pass_context")){
if(typeof data221.pass_context !== "boolean"){
const err449 = {instancePath:instancePath+"/run/unsettled/" + i18+"/agent/pass_context",schemaPath:"#/properties/run/properties/unsettled/items/properties/agent/properties/pass_context/type",keyword:"type",params:{type: "boolean"},message:"must be boolean"};
if(vErrors === null){
vErrors = [err449];
}
else {
vErrors.push(err449);
}
errors++;
}
}
if(data221.memory !== undefined && func0.call(data221, "memory")){
let data226 = data221.memory;
if(!(data226 && typeof data226 == "object" && !Array.isArray(data226))){
const err450 = {instancePath:instancePath+"/run/unsettled/" + i18+"/agent/memory",schemaPath:"#/properties/run/properties/unsettled/items/properties/agent/properties/memory/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err450];
}
else {
vErrors.push(err450);
}
errors++;
}
}
if(data221.limits !== undefined && func0.call(data221, "limits")){
let data227 = data221.limits;
if(data227 && typeof data227 == "object" && !Array.isArray(data227)){
for(const key34 of Object.keys(data227)){
if(!(((((key34 === "tokens") || (key34 === "usd")) || (key34 === "calls")) || (key34 === "deadline_at")) || (key34 === "deadline_of"))){
const err451 = {instancePath:instancePath+"/run/unsettled/" + i18+"/agent/limits",schemaPath:"#/properties/run/properties/unsettled/items/properties/agent/properties/limits/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key34},message:"must NOT have additional properties"};
if(vErrors === null){
vErrors = [err451];
}
else {
vErrors.push(err451);
}
errors++;
}
}
if(data227.tokens !== undefined && func0.call(data227, "tokens")){
let data228 = data227.tokens;
if((typeof data228 == "number") && (isFinite(data228))){
if(data228 < 0 || isNaN(data228)){
const err452 = {instancePath:instancePath+"/run/unsettled/" + i18+"/agent/limits/tokens",schemaPath:"#/properties/run/properties/unsettled/items/properties/agent/properties/limits/properties/tokens/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"};
if(vErrors === null){
vErrors = [err452];
}
else {
vErrors.push(err452);
}
errors++;
}
}
else {
const err453 = {instancePath:instancePath+"/run/unsettled/" + i18+"/agent/limits/tokens",schemaPath:"#/properties/run/properties/unsettled/items/properties/agent/properties/limits/properties/tokens/type",keyword:"type",params:{type: "number"},message:"must be number"};
if(vErrors === null){
vErrors = [err453];
}
else {
vErrors.push(err453);
}
errors++;
}
}
if(data227.usd !== undefined && func0.call(data227, "usd")){
let data229 = data227.usd;
if((typeof data229 == "number") && (isFinite(data229))){
if(data229 < 0 || isNaN(data229)){
const err454 = {instancePath:instancePath+"/run/unsettled/" + i18+"/agent/limits/usd",schemaPath:"#/properties/run/properties/unsettled/items/properties/agent/properties/limits/properties/usd/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"};
if(vErrors === null){
vErrors = [err454];
}
else {
vErrors.push(err454);
}
errors++;
}
}
else {
const err455 = {instancePath:instancePath+"/run/unsettled/" + i18+"/agent/limits/usd",schemaPath:"#/properties/run/properties/unsettled/items/properties/agent/properties/limits/properties/usd/type",keyword:"type",params:{type: "number"},message:"must be number"};
if(vErrors === null){
vErrors = [err455];
}
else {
vErrors.push(err455);
}
errors++;
}
}
if(data227.calls !== undefined && func0.call(data227, "calls")){
let data230 = data227.calls;
if((typeof data230 == "number") && (isFinite(data230))){
if(data230 < 0 || isNaN(data230)){
const err456 = {instancePath:instancePath+"/run/unsettled/" + i18+"/agent/limits/calls",schemaPath:"#/properties/run/properties/unsettled/items/properties/agent/properties/limits/properties/calls/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"};
if(vErrors === null){
vErrors = [err456];
}
else {
vErrors.push(err456);
}
errors++;
}
}
else {
const err457 = {instancePath:instancePath+"/run/unsettled/" + i18+"/agent/limits/calls",schemaPath:"#/properties/run/properties/unsettled/items/properties/agent/properties/limits/properties/calls/type",keyword:"type",params:{type: "number"},message:"must be number"};
if(vErrors === null){
vErrors = [err457];
}
else {
vErrors.push(err457);
}
errors++;
}
}
if(data227.deadline_at !== undefined && func0.call(data227, "deadline_at")){
let data231 = data227.deadline_at;
if((typeof data231 == "number") && (isFinite(data231))){
if(data231 < 0 || isNaN(data231)){
const err458 = {instancePath:instancePath+"/run/unsettled/" + i18+"/agent/limits/deadline_at",schemaPath:"#/properties/run/properties/unsettled/items/properties/agent/properties/limits/properties/deadline_at/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"};
if(vErrors === null){
vErrors = [err458];
}
else {
vErrors.push(err458);
}
errors++;
}
}
else {
const err459 = {instancePath:instancePath+"/run/unsettled/" + i18+"/agent/limits/deadline_at",schemaPath:"#/properties/run/properties/unsettled/items/properties/agent/properties/limits/properties/deadline_at/type",keyword:"type",params:{type: "number"},message:"must be number"};
if(vErrors === null){
vErrors = [err459];
}
else {
vErrors.push(err459);
}
errors++;
}
}
if(data227.deadline_of !== undefined && func0.call(data227, "deadline_of")){
let data232 = data227.deadline_of;
if(typeof data232 !== "string"){
const err460 = {instancePath:instancePath+"/run/unsettled/" + i18+"/agent/limits/deadline_of",schemaPath:"#/properties/run/properties/unsettled/items/properties/agent/properties/limits/properties/deadline_of/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err460];
}
else {
vErrors.push(err460);
}
errors++;
}
if(!((data232 === "runtime") || (data232 === "budget"))){
const err461 = {instancePath:instancePath+"/run/unsettled/" + i18+"/agent/limits/deadline_of",schemaPath:"#/properties/run/properties/unsettled/items/properties/agent/properties/limits/properties/deadline_of/enum",keyword:"enum",params:{allowedValues: schema31.properties.run.properties.unsettled.items.properties.agent.properties.limits.properties.deadline_of.enum},message:"must be equal to one of the allowed values"};
if(vErrors === null){
vErrors = [err461];
}
else {
vErrors.push(err461);
}
errors++;
}
}
}
else {
const err462 = {instancePath:instancePath+"/run/unsettled/" + i18+"/agent/limits",schemaPath:"#/properties/run/properties/unsettled/items/properties/agent/properties/limits/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err462];
}
else {
vErrors.push(err462);
}
errors++;
}
}
if(data221.instead_of !== undefined && func0.call(data221, "instead_of")){
if(typeof data221.instead_of !== "string"){
const err463 = {instancePath:instancePath+"/run/unsettled/" + i18+"/agent/instead_of",schemaPath:"#/properties/run/properties/unsettled/items/properties/agent/properties/instead_of/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err463];
}
else {
vErrors.push(err463);
}
errors++;
}
}
}
else {
const err464 = {instancePath:instancePath+"/run/unsettled/" + i18+"/agent",schemaPath:"#/properties/run/properties/unsettled/items/properties/agent/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err464];
}
else {
vErrors.push(err464);
}
errors++;
}
}
}
else {
const err465 = {instancePath:instancePath+"/run/unsettled/" + i18,schemaPath:"#/properties/run/properties/unsettled/items/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err465];
}
else {
vErrors.push(err465);
}
errors++;
}
}
}
else {
const err466 = {instancePath:instancePath+"/run/unsettled",schemaPath:"#/properties/run/properties/unsettled/type",keyword:"type",params:{type: "array"},message:"must be array"};
if(vErrors === null){
vErrors = [err466];
}
else {
vErrors.push(err466);
}
errors++;
}
}
if(data41.counted !== undefined && func0.call(data41, "counted")){
let data234 = data41.counted;
const _errs512 = errors;
let valid81 = false;
const _errs513 = errors;
if(data234 && typeof data234 == "object" && !Array.isArray(data234)){
if((data234.tokens === undefined) || (!(func0.call(data234, "tokens")))){
const err467 = {instancePath:instancePath+"/run/counted",schemaPath:"#/properties/run/properties/counted/anyOf/0/required",keyword:"required",params:{missingProperty: "tokens"},message:"must have required property '"+"tokens"+"'"};
if(vErrors === null){
vErrors = [err467];
}
else {
vErrors.push(err467);
}
errors++;
}
if((data234.messages === undefined) || (!(func0.call(data234, "messages")))){
const err468 = {instancePath:instancePath+"/run/counted",schemaPath:"#/properties/run/properties/counted/anyOf/0/required",keyword:"required",params:{missingProperty: "messages"},message:"must have required property '"+"messages"+"'"};
if(vErrors === null){
vErrors = [err468];
}
else {
vErrors.push(err468);
}
errors++;
}
for(const key35 of Object.keys(data234)){
if(!((key35 === "tokens") || (key35 === "messages"))){
const err469 = {instancePath:instancePath+"/run/counted",schemaPath:"#/properties/run/properties/counted/anyOf/0/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key35},message:"must NOT have additional properties"};
if(vErrors === null){
vErrors = [err469];
}
else {
vErrors.push(err469);
}
errors++;
}
}
if(data234.tokens !== undefined && func0.call(data234, "tokens")){
let data235 = data234.tokens;
if(!(((typeof data235 == "number") && (!(data235 % 1) && !isNaN(data235))) && (isFinite(data235)))){
const err470 = {instancePath:instancePath+"/run/counted/tokens",schemaPath:"#/properties/run/properties/counted/anyOf/0/properties/tokens/type",keyword:"type",params:{type: "integer"},message:"must be integer"};
if(vErrors === null){
vErrors = [err470];
}
else {
vErrors.push(err470);
}
errors++;
}
if((typeof data235 == "number") && (isFinite(data235))){
if(data235 < 0 || isNaN(data235)){
const err471 = {instancePath:instancePath+"/run/counted/tokens",schemaPath:"#/properties/run/properties/counted/anyOf/0/properties/tokens/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"};
if(vErrors === null){
vErrors = [err471];
}
else {
vErrors.push(err471);
}
errors++;
}
}
}
if(data234.messages !== undefined && func0.call(data234, "messages")){
let data236 = data234.messages;
if(!(((typeof data236 == "number") && (!(data236 % 1) && !isNaN(data236))) && (isFinite(data236)))){
const err472 = {instancePath:instancePath+"/run/counted/messages",schemaPath:"#/properties/run/properties/counted/anyOf/0/properties/messages/type",keyword:"type",params:{type: "integer"},message:"must be integer"};
if(vErrors === null){
vErrors = [err472];
}
else {
vErrors.push(err472);
}
errors++;
}
if((typeof data236 == "number") && (isFinite(data236))){
if(data236 < 0 || isNaN(data236)){
const err473 = {instancePath:instancePath+"/run/counted/messages",schemaPath:"#/properties/run/properties/counted/anyOf/0/properties/messages/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"};
if(vErrors === null){
vErrors = [err473];
}
else {
vErrors.push(err473);
}
errors++;
}
}
}
}
else {
const err474 = {instancePath:instancePath+"/run/counted",schemaPath:"#/properties/run/properties/counted/anyOf/0/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err474];
}
else {
vErrors.push(err474);
}
errors++;
}
var _valid2 = _errs513 === errors;
valid81 = valid81 || _valid2;
const _errs520 = errors;
if(data234 !== null){
const err475 = {instancePath:instancePath+"/run/counted",schemaPath:"#/properties/run/properties/counted/anyOf/1/type",keyword:"type",params:{type: "null"},message:"must be null"};
if(vErrors === null){
vErrors = [err475];
}
else {
vErrors.push(err475);
}
errors++;
}
var _valid2 = _errs520 === errors;
valid81 = valid81 || _valid2;
if(!valid81){
const err476 = {instancePath:instancePath+"/run/counted",schemaPath:"#/properties/run/properties/counted/anyOf",keyword:"anyOf",params:{},message:"must match a schema in anyOf"};
if(vErrors === null){
vErrors = [err476];
}
else {
vErrors.push(err476);
}
errors++;
}
else {
errors = _errs512;
if(vErrors !== null){
if(_errs512){
vErrors.length = _errs512;
}
else {
vErrors = null;
}
}
}
}
if(data41.stage !== undefined && func0.call(data41, "stage")){
let data237 = data41.stage;
const _errs523 = errors;
let valid83 = false;
const _errs524 = errors;
if(data237 && typeof data237 == "object" && !Array.isArray(data237)){
if((data237.type === undefined) || (!(func0.call(data237, "type")))){
const err477 = {instancePath:instancePath+"/run/stage",schemaPath:"#/properties/run/properties/stage/anyOf/0/required",keyword:"required",params:{missingProperty: "type"},message:"must have required property '"+"type"+"'"};
if(vErrors === null){
vErrors = [err477];
}
else {
vErrors.push(err477);
}
errors++;
}
if(data237.type !== undefined && func0.call(data237, "type")){
let data238 = data237.type;
if(typeof data238 !== "string"){
const err478 = {instancePath:instancePath+"/run/stage/type",schemaPath:"#/properties/run/properties/stage/anyOf/0/properties/type/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err478];
}
else {
vErrors.push(err478);
}
errors++;
}
if(!((((data238 === "pipeline") || (data238 === "swarm")) || (data238 === "route")) || (data238 === "handoff"))){
const err479 = {instancePath:instancePath+"/run/stage/type",schemaPath:"#/properties/run/properties/stage/anyOf/0/properties/type/enum",keyword:"enum",params:{allowedValues: schema31.properties.run.properties.stage.anyOf[0].properties.type.enum},message:"must be equal to one of the allowed values"};
if(vErrors === null){
vErrors = [err479];
}
else {
vErrors.push(err479);
}
errors++;
}
}
if(data237.step !== undefined && func0.call(data237, "step")){
let data239 = data237.step;
if(!(((typeof data239 == "number") && (!(data239 % 1) && !isNaN(data239))) && (isFinite(data239)))){
const err480 = {instancePath:instancePath+"/run/stage/step",schemaPath:"#/properties/run/properties/stage/anyOf/0/properties/step/type",keyword:"type",params:{type: "integer"},message:"must be integer"};
if(vErrors === null){
vErrors = [err480];
}
else {
vErrors.push(err480);
}
errors++;
}
if((typeof data239 == "number") && (isFinite(data239))){
if(data239 < 0 || isNaN(data239)){
const err481 = {instancePath:instancePath+"/run/stage/step",schemaPath:"#/properties/run/properties/stage/anyOf/0/properties/step/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"};
if(vErrors === null){
vErrors = [err481];
}
else {
vErrors.push(err481);
}
errors++;
}
}
}
if(data237.phase !== undefined && func0.call(data237, "phase")){
let data240 = data237.phase;
if(typeof data240 !== "string"){
const err482 = {instancePath:instancePath+"/run/stage/phase",schemaPath:"#/properties/run/properties/stage/anyOf/0/properties/phase/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err482];
}
else {
vErrors.push(err482);
}
errors++;
}
if(!(((data240 === "work") || (data240 === "judge")) || (data240 === "merge"))){
const err483 = {instancePath:instancePath+"/run/stage/phase",schemaPath:"#/properties/run/properties/stage/anyOf/0/properties/phase/enum",keyword:"enum",params:{allowedValues: schema31.properties.run.properties.stage.anyOf[0].properties.phase.enum},message:"must be equal to one of the allowed values"};
if(vErrors === null){
vErrors = [err483];
}
else {
vErrors.push(err483);
}
errors++;
}
}
if(data237.rule !== undefined && func0.call(data237, "rule")){
let data241 = data237.rule;
if(!(((typeof data241 == "number") && (!(data241 % 1) && !isNaN(data241))) && (isFinite(data241)))){
const err484 = {instancePath:instancePath+"/run/stage/rule",schemaPath:"#/properties/run/properties/stage/anyOf/0/properties/rule/type",keyword:"type",params:{type: "integer"},message:"must be integer"};
if(vErrors === null){
vErrors = [err484];
}
else {
vErrors.push(err484);
}
errors++;
}
if((typeof data241 == "number") && (isFinite(data241))){
if(data241 < 0 || isNaN(data241)){
const err485 = {instancePath:instancePath+"/run/stage/rule",schemaPath:"#/properties/run/properties/stage/anyOf/0/properties/rule/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"};
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
}
else {
const err486 = {instancePath:instancePath+"/run/stage",schemaPath:"#/properties/run/properties/stage/anyOf/0/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err486];
}
else {
vErrors.push(err486);
}
errors++;
}
var _valid3 = _errs524 === errors;
valid83 = valid83 || _valid3;
if(_valid3){
var props2 = {};
props2.type = true;
props2.step = true;
props2.phase = true;
props2.rule = true;
}
const _errs534 = errors;
if(data237 !== null){
const err487 = {instancePath:instancePath+"/run/stage",schemaPath:"#/properties/run/properties/stage/anyOf/1/type",keyword:"type",params:{type: "null"},message:"must be null"};
if(vErrors === null){
vErrors = [err487];
}
else {
vErrors.push(err487);
}
errors++;
}
var _valid3 = _errs534 === errors;
valid83 = valid83 || _valid3;
if(!valid83){
const err488 = {instancePath:instancePath+"/run/stage",schemaPath:"#/properties/run/properties/stage/anyOf",keyword:"anyOf",params:{},message:"must match a schema in anyOf"};
if(vErrors === null){
vErrors = [err488];
}
else {
vErrors.push(err488);
}
errors++;
}
else {
errors = _errs523;
if(vErrors !== null){
if(_errs523){
vErrors.length = _errs523;
}
else {
vErrors = null;
}
}
}
}
if(data41.choice !== undefined && func0.call(data41, "choice")){
let data242 = data41.choice;
if(Array.isArray(data242)){
const len22 = data242.length;
for(let i22=0; i22<len22; i22++){
let data243 = data242[i22];
if(data243 && typeof data243 == "object" && !Array.isArray(data243)){
if((data243.alias === undefined) || (!(func0.call(data243, "alias")))){
const err489 = {instancePath:instancePath+"/run/choice/" + i22,schemaPath:"#/properties/run/properties/choice/items/required",keyword:"required",params:{missingProperty: "alias"},message:"must have required property '"+"alias"+"'"};
if(vErrors === null){
vErrors = [err489];
}
else {
vErrors.push(err489);
}
errors++;
}
if((data243.result === undefined) || (!(func0.call(data243, "result")))){
const err490 = {instancePath:instancePath+"/run/choice/" + i22,schemaPath:"#/properties/run/properties/choice/items/required",keyword:"required",params:{missingProperty: "result"},message:"must have required property '"+"result"+"'"};
if(vErrors === null){
vErrors = [err490];
}
else {
vErrors.push(err490);
}
errors++;
}
for(const key36 of Object.keys(data243)){
if(!((key36 === "alias") || (key36 === "result"))){
const err491 = {instancePath:instancePath+"/run/choice/" + i22,schemaPath:"#/properties/run/properties/choice/items/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key36},message:"must NOT have additional properties"};
if(vErrors === null){
vErrors = [err491];
}
else {
vErrors.push(err491);
}
errors++;
}
}
if(data243.alias !== undefined && func0.call(data243, "alias")){
if(typeof data243.alias !== "string"){
const err492 = {instancePath:instancePath+"/run/choice/" + i22+"/alias",schemaPath:"#/properties/run/properties/choice/items/properties/alias/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err492];
}
else {
vErrors.push(err492);
}
errors++;
}
}
}
else {
const err493 = {instancePath:instancePath+"/run/choice/" + i22,schemaPath:"#/properties/run/properties/choice/items/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err493];
}
else {
vErrors.push(err493);
}
errors++;
}
}
}
else {
const err494 = {instancePath:instancePath+"/run/choice",schemaPath:"#/properties/run/properties/choice/type",keyword:"type",params:{type: "array"},message:"must be array"};
if(vErrors === null){
vErrors = [err494];
}
else {
vErrors.push(err494);
}
errors++;
}
}
if(data41.recalling !== undefined && func0.call(data41, "recalling")){
if(typeof data41.recalling !== "boolean"){
const err495 = {instancePath:instancePath+"/run/recalling",schemaPath:"#/properties/run/properties/recalling/type",keyword:"type",params:{type: "boolean"},message:"must be boolean"};
if(vErrors === null){
vErrors = [err495];
}
else {
vErrors.push(err495);
}
errors++;
}
}
if(data41.started_at !== undefined && func0.call(data41, "started_at")){
let data246 = data41.started_at;
if((typeof data246 == "number") && (isFinite(data246))){
if(data246 < 0 || isNaN(data246)){
const err496 = {instancePath:instancePath+"/run/started_at",schemaPath:"#/properties/run/properties/started_at/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"};
if(vErrors === null){
vErrors = [err496];
}
else {
vErrors.push(err496);
}
errors++;
}
}
else {
const err497 = {instancePath:instancePath+"/run/started_at",schemaPath:"#/properties/run/properties/started_at/type",keyword:"type",params:{type: "number"},message:"must be number"};
if(vErrors === null){
vErrors = [err497];
}
else {
vErrors.push(err497);
}
errors++;
}
}
if(data41.background !== undefined && func0.call(data41, "background")){
let data247 = data41.background;
if(!(data247 && typeof data247 == "object" && !Array.isArray(data247))){
const err498 = {instancePath:instancePath+"/run/background",schemaPath:"#/properties/run/properties/background/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err498];
}
else {
vErrors.push(err498);
}
errors++;
}
}
if(data41.limits !== undefined && func0.call(data41, "limits")){
let data248 = data41.limits;
if(data248 && typeof data248 == "object" && !Array.isArray(data248)){
for(const key37 of Object.keys(data248)){
if(!(((((key37 === "tokens") || (key37 === "usd")) || (key37 === "calls")) || (key37 === "deadline_at")) || (key37 === "deadline_of"))){
const err499 = {instancePath:instancePath+"/run/limits",schemaPath:"#/properties/run/properties/limits/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key37},message:"must NOT have additional properties"};
if(vErrors === null){
vErrors = [err499];
}
else {
vErrors.push(err499);
}
errors++;
}
}
if(data248.tokens !== undefined && func0.call(data248, "tokens")){
let data249 = data248.tokens;
if((typeof data249 == "number") && (isFinite(data249))){
if(data249 < 0 || isNaN(data249)){
const err500 = {instancePath:instancePath+"/run/limits/tokens",schemaPath:"#/properties/run/properties/limits/properties/tokens/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"};
if(vErrors === null){
vErrors = [err500];
}
else {
vErrors.push(err500);
}
errors++;
}
}
else {
const err501 = {instancePath:instancePath+"/run/limits/tokens",schemaPath:"#/properties/run/properties/limits/properties/tokens/type",keyword:"type",params:{type: "number"},message:"must be number"};
if(vErrors === null){
vErrors = [err501];
}
else {
vErrors.push(err501);
}
errors++;
}
}
if(data248.usd !== undefined && func0.call(data248, "usd")){
let data250 = data248.usd;
if((typeof data250 == "number") && (isFinite(data250))){
if(data250 < 0 || isNaN(data250)){
const err502 = {instancePath:instancePath+"/run/limits/usd",schemaPath:"#/properties/run/properties/limits/properties/usd/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"};
if(vErrors === null){
vErrors = [err502];
}
else {
vErrors.push(err502);
}
errors++;
}
}
else {
const err503 = {instancePath:instancePath+"/run/limits/usd",schemaPath:"#/properties/run/properties/limits/properties/usd/type",keyword:"type",params:{type: "number"},message:"must be number"};
if(vErrors === null){
vErrors = [err503];
}
else {
vErrors.push(err503);
}
errors++;
}
}
if(data248.calls !== undefined && func0.call(data248, "calls")){
let data251 = data248.calls;
if((typeof data251 == "number") && (isFinite(data251))){
if(data251 < 0 || isNaN(data251)){
const err504 = {instancePath:instancePath+"/run/limits/calls",schemaPath:"#/properties/run/properties/limits/properties/calls/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"};
if(vErrors === null){
vErrors = [err504];
}
else {
vErrors.push(err504);
}
errors++;
}
}
else {
const err505 = {instancePath:instancePath+"/run/limits/calls",schemaPath:"#/properties/run/properties/limits/properties/calls/type",keyword:"type",params:{type: "number"},message:"must be number"};
if(vErrors === null){
vErrors = [err505];
}
else {
vErrors.push(err505);
}
errors++;
}
}
if(data248.deadline_at !== undefined && func0.call(data248, "deadline_at")){
let data252 = data248.deadline_at;
if((typeof data252 == "number") && (isFinite(data252))){
if(data252 < 0 || isNaN(data252)){
const err506 = {instancePath:instancePath+"/run/limits/deadline_at",schemaPath:"#/properties/run/properties/limits/properties/deadline_at/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"};
if(vErrors === null){
vErrors = [err506];
}
else {
vErrors.push(err506);
}
errors++;
}
}
else {
const err507 = {instancePath:instancePath+"/run/limits/deadline_at",schemaPath:"#/properties/run/properties/limits/properties/deadline_at/type",keyword:"type",params:{type: "number"},message:"must be number"};
if(vErrors === null){
vErrors = [err507];
}
else {
vErrors.push(err507);
}
errors++;
}
}
if(data248.deadline_of !== undefined && func0.call(data248, "deadline_of")){
let data253 = data248.deadline_of;
if(typeof data253 !== "string"){
const err508 = {instancePath:instancePath+"/run/limits/deadline_of",schemaPath:"#/properties/run/properties/limits/properties/deadline_of/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err508];
}
else {
vErrors.push(err508);
}
errors++;
}
if(!((data253 === "runtime") || (data253 === "budget"))){
const err509 = {instancePath:instancePath+"/run/limits/deadline_of",schemaPath:"#/properties/run/properties/limits/properties/deadline_of/enum",keyword:"enum",params:{allowedValues: schema31.properties.run.properties.limits.properties.deadline_of.enum},message:"must be equal to one of the allowed values"};
if(vErrors === null){
vErrors = [err509];
}
else {
vErrors.push(err509);
}
errors++;
}
}
}
else {
const err510 = {instancePath:instancePath+"/run/limits",schemaPath:"#/properties/run/properties/limits/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err510];
}
else {
vErrors.push(err510);
}
errors++;
}
}
if(data41.trace_parent !== undefined && func0.call(data41, "trace_parent")){
let data254 = data41.trace_parent;
const _errs563 = errors;
let valid89 = false;
const _errs564 = errors;
if(typeof data254 !== "string"){
const err511 = {instancePath:instancePath+"/run/trace_parent",schemaPath:"#/properties/run/properties/trace_parent/anyOf/0/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err511];
}
else {
vErrors.push(err511);
}
errors++;
}
var _valid4 = _errs564 === errors;
valid89 = valid89 || _valid4;
const _errs566 = errors;
if(data254 !== null){
const err512 = {instancePath:instancePath+"/run/trace_parent",schemaPath:"#/properties/run/properties/trace_parent/anyOf/1/type",keyword:"type",params:{type: "null"},message:"must be null"};
if(vErrors === null){
vErrors = [err512];
}
else {
vErrors.push(err512);
}
errors++;
}
var _valid4 = _errs566 === errors;
valid89 = valid89 || _valid4;
if(!valid89){
const err513 = {instancePath:instancePath+"/run/trace_parent",schemaPath:"#/properties/run/properties/trace_parent/anyOf",keyword:"anyOf",params:{},message:"must match a schema in anyOf"};
if(vErrors === null){
vErrors = [err513];
}
else {
vErrors.push(err513);
}
errors++;
}
else {
errors = _errs563;
if(vErrors !== null){
if(_errs563){
vErrors.length = _errs563;
}
else {
vErrors = null;
}
}
}
}
if(data41.trace_state !== undefined && func0.call(data41, "trace_state")){
let data255 = data41.trace_state;
const _errs569 = errors;
let valid90 = false;
const _errs570 = errors;
if(typeof data255 !== "string"){
const err514 = {instancePath:instancePath+"/run/trace_state",schemaPath:"#/properties/run/properties/trace_state/anyOf/0/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err514];
}
else {
vErrors.push(err514);
}
errors++;
}
var _valid5 = _errs570 === errors;
valid90 = valid90 || _valid5;
const _errs572 = errors;
if(data255 !== null){
const err515 = {instancePath:instancePath+"/run/trace_state",schemaPath:"#/properties/run/properties/trace_state/anyOf/1/type",keyword:"type",params:{type: "null"},message:"must be null"};
if(vErrors === null){
vErrors = [err515];
}
else {
vErrors.push(err515);
}
errors++;
}
var _valid5 = _errs572 === errors;
valid90 = valid90 || _valid5;
if(!valid90){
const err516 = {instancePath:instancePath+"/run/trace_state",schemaPath:"#/properties/run/properties/trace_state/anyOf",keyword:"anyOf",params:{},message:"must match a schema in anyOf"};
if(vErrors === null){
vErrors = [err516];
}
else {
vErrors.push(err516);
}
errors++;
}
else {
errors = _errs569;
if(vErrors !== null){
if(_errs569){
vErrors.length = _errs569;
}
else {
vErrors = null;
}
}
}
}
if(data41.depth !== undefined && func0.call(data41, "depth")){
let data256 = data41.depth;
if(!(((typeof data256 == "number") && (!(data256 % 1) && !isNaN(data256))) && (isFinite(data256)))){
const err517 = {instancePath:instancePath+"/run/depth",schemaPath:"#/properties/run/properties/depth/type",keyword:"type",params:{type: "integer"},message:"must be integer"};
if(vErrors === null){
vErrors = [err517];
}
else {
vErrors.push(err517);
}
errors++;
}
if((typeof data256 == "number") && (isFinite(data256))){
if(data256 < 0 || isNaN(data256)){
const err518 = {instancePath:instancePath+"/run/depth",schemaPath:"#/properties/run/properties/depth/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"};
if(vErrors === null){
vErrors = [err518];
}
else {
vErrors.push(err518);
}
errors++;
}
}
}
if(data41.named !== undefined && func0.call(data41, "named")){
let data257 = data41.named;
if(Array.isArray(data257)){
const len23 = data257.length;
for(let i23=0; i23<len23; i23++){
if(typeof data257[i23] !== "string"){
const err519 = {instancePath:instancePath+"/run/named/" + i23,schemaPath:"#/properties/run/properties/named/items/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err519];
}
else {
vErrors.push(err519);
}
errors++;
}
}
}
else {
const err520 = {instancePath:instancePath+"/run/named",schemaPath:"#/properties/run/properties/named/type",keyword:"type",params:{type: "array"},message:"must be array"};
if(vErrors === null){
vErrors = [err520];
}
else {
vErrors.push(err520);
}
errors++;
}
}
if(data41.triggered !== undefined && func0.call(data41, "triggered")){
if(typeof data41.triggered !== "boolean"){
const err521 = {instancePath:instancePath+"/run/triggered",schemaPath:"#/properties/run/properties/triggered/type",keyword:"type",params:{type: "boolean"},message:"must be boolean"};
if(vErrors === null){
vErrors = [err521];
}
else {
vErrors.push(err521);
}
errors++;
}
}
if(data41.withheld !== undefined && func0.call(data41, "withheld")){
if(typeof data41.withheld !== "boolean"){
const err522 = {instancePath:instancePath+"/run/withheld",schemaPath:"#/properties/run/properties/withheld/type",keyword:"type",params:{type: "boolean"},message:"must be boolean"};
if(vErrors === null){
vErrors = [err522];
}
else {
vErrors.push(err522);
}
errors++;
}
}
if(data41.copied !== undefined && func0.call(data41, "copied")){
let data261 = data41.copied;
if(!(((typeof data261 == "number") && (!(data261 % 1) && !isNaN(data261))) && (isFinite(data261)))){
const err523 = {instancePath:instancePath+"/run/copied",schemaPath:"#/properties/run/properties/copied/type",keyword:"type",params:{type: "integer"},message:"must be integer"};
if(vErrors === null){
vErrors = [err523];
}
else {
vErrors.push(err523);
}
errors++;
}
if((typeof data261 == "number") && (isFinite(data261))){
if(data261 < 0 || isNaN(data261)){
const err524 = {instancePath:instancePath+"/run/copied",schemaPath:"#/properties/run/properties/copied/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"};
if(vErrors === null){
vErrors = [err524];
}
else {
vErrors.push(err524);
}
errors++;
}
}
}
if(data41.handed_off !== undefined && func0.call(data41, "handed_off")){
let data262 = data41.handed_off;
if(Array.isArray(data262)){
const len24 = data262.length;
for(let i24=0; i24<len24; i24++){
let data263 = data262[i24];
if(!(((typeof data263 == "number") && (!(data263 % 1) && !isNaN(data263))) && (isFinite(data263)))){
const err525 = {instancePath:instancePath+"/run/handed_off/" + i24,schemaPath:"#/properties/run/properties/handed_off/items/type",keyword:"type",params:{type: "integer"},message:"must be integer"};
if(vErrors === null){
vErrors = [err525];
}
else {
vErrors.push(err525);
}
errors++;
}
if((typeof data263 == "number") && (isFinite(data263))){
if(data263 < 0 || isNaN(data263)){
const err526 = {instancePath:instancePath+"/run/handed_off/" + i24,schemaPath:"#/properties/run/properties/handed_off/items/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"};
if(vErrors === null){
vErrors = [err526];
}
else {
vErrors.push(err526);
}
errors++;
}
}
}
}
else {
const err527 = {instancePath:instancePath+"/run/handed_off",schemaPath:"#/properties/run/properties/handed_off/type",keyword:"type",params:{type: "array"},message:"must be array"};
if(vErrors === null){
vErrors = [err527];
}
else {
vErrors.push(err527);
}
errors++;
}
}
if(data41.review !== undefined && func0.call(data41, "review")){
let data264 = data41.review;
const _errs591 = errors;
let valid95 = false;
const _errs592 = errors;
if(data264 && typeof data264 == "object" && !Array.isArray(data264)){
if((data264.n === undefined) || (!(func0.call(data264, "n")))){
const err528 = {instancePath:instancePath+"/run/review",schemaPath:"#/properties/run/properties/review/anyOf/0/required",keyword:"required",params:{missingProperty: "n"},message:"must have required property '"+"n"+"'"};
if(vErrors === null){
vErrors = [err528];
}
else {
vErrors.push(err528);
}
errors++;
}
if((data264.subject === undefined) || (!(func0.call(data264, "subject")))){
const err529 = {instancePath:instancePath+"/run/review",schemaPath:"#/properties/run/properties/review/anyOf/0/required",keyword:"required",params:{missingProperty: "subject"},message:"must have required property '"+"subject"+"'"};
if(vErrors === null){
vErrors = [err529];
}
else {
vErrors.push(err529);
}
errors++;
}
if(data264.n !== undefined && func0.call(data264, "n")){
let data265 = data264.n;
if(!(((typeof data265 == "number") && (!(data265 % 1) && !isNaN(data265))) && (isFinite(data265)))){
const err530 = {instancePath:instancePath+"/run/review/n",schemaPath:"#/properties/run/properties/review/anyOf/0/properties/n/type",keyword:"type",params:{type: "integer"},message:"must be integer"};
if(vErrors === null){
vErrors = [err530];
}
else {
vErrors.push(err530);
}
errors++;
}
if((typeof data265 == "number") && (isFinite(data265))){
if(data265 < 0 || isNaN(data265)){
const err531 = {instancePath:instancePath+"/run/review/n",schemaPath:"#/properties/run/properties/review/anyOf/0/properties/n/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"};
if(vErrors === null){
vErrors = [err531];
}
else {
vErrors.push(err531);
}
errors++;
}
}
}
if(data264.subject !== undefined && func0.call(data264, "subject")){
let data266 = data264.subject;
if(typeof data266 !== "string"){
const err532 = {instancePath:instancePath+"/run/review/subject",schemaPath:"#/properties/run/properties/review/anyOf/0/properties/subject/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err532];
}
else {
vErrors.push(err532);
}
errors++;
}
if(!((data266 === "answer") || (data266 === "calls"))){
const err533 = {instancePath:instancePath+"/run/review/subject",schemaPath:"#/properties/run/properties/review/anyOf/0/properties/subject/enum",keyword:"enum",params:{allowedValues: schema31.properties.run.properties.review.anyOf[0].properties.subject.enum},message:"must be equal to one of the allowed values"};
if(vErrors === null){
vErrors = [err533];
}
else {
vErrors.push(err533);
}
errors++;
}
}
if(data264.text !== undefined && func0.call(data264, "text")){
if(typeof data264.text !== "string"){
const err534 = {instancePath:instancePath+"/run/review/text",schemaPath:"#/properties/run/properties/review/anyOf/0/properties/text/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err534];
}
else {
vErrors.push(err534);
}
errors++;
}
}
}
else {
const err535 = {instancePath:instancePath+"/run/review",schemaPath:"#/properties/run/properties/review/anyOf/0/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err535];
}
else {
vErrors.push(err535);
}
errors++;
}
var _valid6 = _errs592 === errors;
valid95 = valid95 || _valid6;
if(_valid6){
var props3 = {};
props3.n = true;
props3.subject = true;
props3.text = true;
}
const _errs600 = errors;
if(data264 !== null){
const err536 = {instancePath:instancePath+"/run/review",schemaPath:"#/properties/run/properties/review/anyOf/1/type",keyword:"type",params:{type: "null"},message:"must be null"};
if(vErrors === null){
vErrors = [err536];
}
else {
vErrors.push(err536);
}
errors++;
}
var _valid6 = _errs600 === errors;
valid95 = valid95 || _valid6;
if(!valid95){
const err537 = {instancePath:instancePath+"/run/review",schemaPath:"#/properties/run/properties/review/anyOf",keyword:"anyOf",params:{},message:"must match a schema in anyOf"};
if(vErrors === null){
vErrors = [err537];
}
else {
vErrors.push(err537);
}
errors++;
}
else {
errors = _errs591;
if(vErrors !== null){
if(_errs591){
vErrors.length = _errs591;
}
else {
vErrors = null;
}
}
}
}
if(data41.reviews !== undefined && func0.call(data41, "reviews")){
let data268 = data41.reviews;
if(!(((typeof data268 == "number") && (!(data268 % 1) && !isNaN(data268))) && (isFinite(data268)))){
const err538 = {instancePath:instancePath+"/run/reviews",schemaPath:"#/properties/run/properties/reviews/type",keyword:"type",params:{type: "integer"},message:"must be integer"};
if(vErrors === null){
vErrors = [err538];
}
else {
vErrors.push(err538);
}
errors++;
}
if((typeof data268 == "number") && (isFinite(data268))){
if(data268 < 0 || isNaN(data268)){
const err539 = {instancePath:instancePath+"/run/reviews",schemaPath:"#/properties/run/properties/reviews/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"};
if(vErrors === null){
vErrors = [err539];
}
else {
vErrors.push(err539);
}
errors++;
}
}
}
if(data41.start_hook_turn !== undefined && func0.call(data41, "start_hook_turn")){
let data269 = data41.start_hook_turn;
if(!(((typeof data269 == "number") && (!(data269 % 1) && !isNaN(data269))) && (isFinite(data269)))){
const err540 = {instancePath:instancePath+"/run/start_hook_turn",schemaPath:"#/properties/run/properties/start_hook_turn/type",keyword:"type",params:{type: "integer"},message:"must be integer"};
if(vErrors === null){
vErrors = [err540];
}
else {
vErrors.push(err540);
}
errors++;
}
if((typeof data269 == "number") && (isFinite(data269))){
if(data269 < 0 || isNaN(data269)){
const err541 = {instancePath:instancePath+"/run/start_hook_turn",schemaPath:"#/properties/run/properties/start_hook_turn/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"};
if(vErrors === null){
vErrors = [err541];
}
else {
vErrors.push(err541);
}
errors++;
}
}
}
if(data41.end_hook_turn !== undefined && func0.call(data41, "end_hook_turn")){
let data270 = data41.end_hook_turn;
if(!(((typeof data270 == "number") && (!(data270 % 1) && !isNaN(data270))) && (isFinite(data270)))){
const err542 = {instancePath:instancePath+"/run/end_hook_turn",schemaPath:"#/properties/run/properties/end_hook_turn/type",keyword:"type",params:{type: "integer"},message:"must be integer"};
if(vErrors === null){
vErrors = [err542];
}
else {
vErrors.push(err542);
}
errors++;
}
if((typeof data270 == "number") && (isFinite(data270))){
if(data270 < 0 || isNaN(data270)){
const err543 = {instancePath:instancePath+"/run/end_hook_turn",schemaPath:"#/properties/run/properties/end_hook_turn/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"};
if(vErrors === null){
vErrors = [err543];
}
else {
vErrors.push(err543);
}
errors++;
}
}
}
if(data41.tally !== undefined && func0.call(data41, "tally")){
let data271 = data41.tally;
if(data271 && typeof data271 == "object" && !Array.isArray(data271)){
for(const key38 of Object.keys(data271)){
let data272 = data271[key38];
if(data272 && typeof data272 == "object" && !Array.isArray(data272)){
if((data272.called === undefined) || (!(func0.call(data272, "called")))){
const err544 = {instancePath:instancePath+"/run/tally/" + key38.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/properties/run/properties/tally/additionalProperties/required",keyword:"required",params:{missingProperty: "called"},message:"must have required property '"+"called"+"'"};
if(vErrors === null){
vErrors = [err544];
}
else {
vErrors.push(err544);
}
errors++;
}
if((data272.succeeded === undefined) || (!(func0.call(data272, "succeeded")))){
const err545 = {instancePath:instancePath+"/run/tally/" + key38.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/properties/run/properties/tally/additionalProperties/required",keyword:"required",params:{missingProperty: "succeeded"},message:"must have required property '"+"succeeded"+"'"};
if(vErrors === null){
vErrors = [err545];
}
else {
vErrors.push(err545);
}
errors++;
}
for(const key39 of Object.keys(data272)){
if(!((key39 === "called") || (key39 === "succeeded"))){
const err546 = {instancePath:instancePath+"/run/tally/" + key38.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/properties/run/properties/tally/additionalProperties/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key39},message:"must NOT have additional properties"};
if(vErrors === null){
vErrors = [err546];
}
else {
vErrors.push(err546);
}
errors++;
}
}
if(data272.called !== undefined && func0.call(data272, "called")){
let data273 = data272.called;
if(!(((typeof data273 == "number") && (!(data273 % 1) && !isNaN(data273))) && (isFinite(data273)))){
const err547 = {instancePath:instancePath+"/run/tally/" + key38.replace(/~/g, "~0").replace(/\//g, "~1")+"/called",schemaPath:"#/properties/run/properties/tally/additionalProperties/properties/called/type",keyword:"type",params:{type: "integer"},message:"must be integer"};
if(vErrors === null){
vErrors = [err547];
}
else {
vErrors.push(err547);
}
errors++;
}
if((typeof data273 == "number") && (isFinite(data273))){
if(data273 < 0 || isNaN(data273)){
const err548 = {instancePath:instancePath+"/run/tally/" + key38.replace(/~/g, "~0").replace(/\//g, "~1")+"/called",schemaPath:"#/properties/run/properties/tally/additionalProperties/properties/called/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"};
if(vErrors === null){
vErrors = [err548];
}
else {
vErrors.push(err548);
}
errors++;
}
}
}
if(data272.succeeded !== undefined && func0.call(data272, "succeeded")){
let data274 = data272.succeeded;
if(!(((typeof data274 == "number") && (!(data274 % 1) && !isNaN(data274))) && (isFinite(data274)))){
const err549 = {instancePath:instancePath+"/run/tally/" + key38.replace(/~/g, "~0").replace(/\//g, "~1")+"/succeeded",schemaPath:"#/properties/run/properties/tally/additionalProperties/properties/succeeded/type",keyword:"type",params:{type: "integer"},message:"must be integer"};
if(vErrors === null){
vErrors = [err549];
}
else {
vErrors.push(err549);
}
errors++;
}
if((typeof data274 == "number") && (isFinite(data274))){
if(data274 < 0 || isNaN(data274)){
const err550 = {instancePath:instancePath+"/run/tally/" + key38.replace(/~/g, "~0").replace(/\//g, "~1")+"/succeeded",schemaPath:"#/properties/run/properties/tally/additionalProperties/properties/succeeded/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"};
if(vErrors === null){
vErrors = [err550];
}
else {
vErrors.push(err550);
}
errors++;
}
}
}
}
else {
const err551 = {instancePath:instancePath+"/run/tally/" + key38.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/properties/run/properties/tally/additionalProperties/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err551];
}
else {
vErrors.push(err551);
}
errors++;
}
}
}
else {
const err552 = {instancePath:instancePath+"/run/tally",schemaPath:"#/properties/run/properties/tally/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err552];
}
else {
vErrors.push(err552);
}
errors++;
}
}
if(data41.repairs !== undefined && func0.call(data41, "repairs")){
let data275 = data41.repairs;
if(!(((typeof data275 == "number") && (!(data275 % 1) && !isNaN(data275))) && (isFinite(data275)))){
const err553 = {instancePath:instancePath+"/run/repairs",schemaPath:"#/properties/run/properties/repairs/type",keyword:"type",params:{type: "integer"},message:"must be integer"};
if(vErrors === null){
vErrors = [err553];
}
else {
vErrors.push(err553);
}
errors++;
}
if((typeof data275 == "number") && (isFinite(data275))){
if(data275 < 0 || isNaN(data275)){
const err554 = {instancePath:instancePath+"/run/repairs",schemaPath:"#/properties/run/properties/repairs/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"};
if(vErrors === null){
vErrors = [err554];
}
else {
vErrors.push(err554);
}
errors++;
}
}
}
if(data41.down !== undefined && func0.call(data41, "down")){
let data276 = data41.down;
if(data276 && typeof data276 == "object" && !Array.isArray(data276)){
for(const key40 of Object.keys(data276)){
let data277 = data276[key40];
if((typeof data277 == "number") && (isFinite(data277))){
if(data277 < 0 || isNaN(data277)){
const err555 = {instancePath:instancePath+"/run/down/" + key40.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/properties/run/properties/down/additionalProperties/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"};
if(vErrors === null){
vErrors = [err555];
}
else {
vErrors.push(err555);
}
errors++;
}
}
else {
const err556 = {instancePath:instancePath+"/run/down/" + key40.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/properties/run/properties/down/additionalProperties/type",keyword:"type",params:{type: "number"},message:"must be number"};
if(vErrors === null){
vErrors = [err556];
}
else {
vErrors.push(err556);
}
errors++;
}
}
}
else {
const err557 = {instancePath:instancePath+"/run/down",schemaPath:"#/properties/run/properties/down/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err557];
}
else {
vErrors.push(err557);
}
errors++;
}
}
if(data41.answered_by !== undefined && func0.call(data41, "answered_by")){
let data278 = data41.answered_by;
const _errs626 = errors;
let valid100 = false;
const _errs627 = errors;
if(!(((typeof data278 == "number") && (!(data278 % 1) && !isNaN(data278))) && (isFinite(data278)))){
const err558 = {instancePath:instancePath+"/run/answered_by",schemaPath:"#/properties/run/properties/answered_by/anyOf/0/type",keyword:"type",params:{type: "integer"},message:"must be integer"};
if(vErrors === null){
vErrors = [err558];
}
else {
vErrors.push(err558);
}
errors++;
}
if((typeof data278 == "number") && (isFinite(data278))){
if(data278 < 0 || isNaN(data278)){
const err559 = {instancePath:instancePath+"/run/answered_by",schemaPath:"#/properties/run/properties/answered_by/anyOf/0/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"};
if(vErrors === null){
vErrors = [err559];
}
else {
vErrors.push(err559);
}
errors++;
}
}
var _valid7 = _errs627 === errors;
valid100 = valid100 || _valid7;
const _errs629 = errors;
if(data278 !== null){
const err560 = {instancePath:instancePath+"/run/answered_by",schemaPath:"#/properties/run/properties/answered_by/anyOf/1/type",keyword:"type",params:{type: "null"},message:"must be null"};
if(vErrors === null){
vErrors = [err560];
}
else {
vErrors.push(err560);
}
errors++;
}
var _valid7 = _errs629 === errors;
valid100 = valid100 || _valid7;
if(!valid100){
const err561 = {instancePath:instancePath+"/run/answered_by",schemaPath:"#/properties/run/properties/answered_by/anyOf",keyword:"anyOf",params:{},message:"must match a schema in anyOf"};
if(vErrors === null){
vErrors = [err561];
}
else {
vErrors.push(err561);
}
errors++;
}
else {
errors = _errs626;
if(vErrors !== null){
if(_errs626){
vErrors.length = _errs626;
}
else {
vErrors = null;
}
}
}
}
if(data41.totals !== undefined && func0.call(data41, "totals")){
let data279 = data41.totals;
if(data279 && typeof data279 == "object" && !Array.isArray(data279)){
if((data279.input_tokens === undefined) || (!(func0.call(data279, "input_tokens")))){
const err562 = {instancePath:instancePath+"/run/totals",schemaPath:"#/properties/run/properties/totals/required",keyword:"required",params:{missingProperty: "input_tokens"},message:"must have required property '"+"input_tokens"+"'"};
if(vErrors === null){
vErrors = [err562];
}
else {
vErrors.push(err562);
}
errors++;
}
if((data279.output_tokens === undefined) || (!(func0.call(data279, "output_tokens")))){
const err563 = {instancePath:instancePath+"/run/totals",schemaPath:"#/properties/run/properties/totals/required",keyword:"required",params:{missingProperty: "output_tokens"},message:"must have required property '"+"output_tokens"+"'"};
if(vErrors === null){
vErrors = [err563];
}
else {
vErrors.push(err563);
}
errors++;
}
if((data279.cost_usd === undefined) || (!(func0.call(data279, "cost_usd")))){
const err564 = {instancePath:instancePath+"/run/totals",schemaPath:"#/properties/run/properties/totals/required",keyword:"required",params:{missingProperty: "cost_usd"},message:"must have required property '"+"cost_usd"+"'"};
if(vErrors === null){
vErrors = [err564];
}
else {
vErrors.push(err564);
}
errors++;
}
if((data279.llm_calls === undefined) || (!(func0.call(data279, "llm_calls")))){
const err565 = {instancePath:instancePath+"/run/totals",schemaPath:"#/properties/run/properties/totals/required",keyword:"required",params:{missingProperty: "llm_calls"},message:"must have required property '"+"llm_calls"+"'"};
if(vErrors === null){
vErrors = [err565];
}
else {
vErrors.push(err565);
}
errors++;
}
if((data279.tool_calls === undefined) || (!(func0.call(data279, "tool_calls")))){
const err566 = {instancePath:instancePath+"/run/totals",schemaPath:"#/properties/run/properties/totals/required",keyword:"required",params:{missingProperty: "tool_calls"},message:"must have required property '"+"tool_calls"+"'"};
if(vErrors === null){
vErrors = [err566];
}
else {
vErrors.push(err566);
}
errors++;
}
if((data279.iterations === undefined) || (!(func0.call(data279, "iterations")))){
const err567 = {instancePath:instancePath+"/run/totals",schemaPath:"#/properties/run/properties/totals/required",keyword:"required",params:{missingProperty: "iterations"},message:"must have required property '"+"iterations"+"'"};
if(vErrors === null){
vErrors = [err567];
}
else {
vErrors.push(err567);
}
errors++;
}
if((data279.duration_ms === undefined) || (!(func0.call(data279, "duration_ms")))){
const err568 = {instancePath:instancePath+"/run/totals",schemaPath:"#/properties/run/properties/totals/required",keyword:"required",params:{missingProperty: "duration_ms"},message:"must have required property '"+"duration_ms"+"'"};
if(vErrors === null){
vErrors = [err568];
}
else {
vErrors.push(err568);
}
errors++;
}
if(data279.input_tokens !== undefined && func0.call(data279, "input_tokens")){
let data280 = data279.input_tokens;
if(!(((typeof data280 == "number") && (!(data280 % 1) && !isNaN(data280))) && (isFinite(data280)))){
const err569 = {instancePath:instancePath+"/run/totals/input_tokens",schemaPath:"#/properties/run/properties/totals/properties/input_tokens/type",keyword:"type",params:{type: "integer"},message:"must be integer"};
if(vErrors === null){
vErrors = [err569];
}
else {
vErrors.push(err569);
}
errors++;
}
if((typeof data280 == "number") && (isFinite(data280))){
if(data280 < 0 || isNaN(data280)){
const err570 = {instancePath:instancePath+"/run/totals/input_tokens",schemaPath:"#/properties/run/properties/totals/properties/input_tokens/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"};
if(vErrors === null){
vErrors = [err570];
}
else {
vErrors.push(err570);
}
errors++;
}
}
}
if(data279.output_tokens !== undefined && func0.call(data279, "output_tokens")){
let data281 = data279.output_tokens;
if(!(((typeof data281 == "number") && (!(data281 % 1) && !isNaN(data281))) && (isFinite(data281)))){
const err571 = {instancePath:instancePath+"/run/totals/output_tokens",schemaPath:"#/properties/run/properties/totals/properties/output_tokens/type",keyword:"type",params:{type: "integer"},message:"must be integer"};
if(vErrors === null){
vErrors = [err571];
}
else {
vErrors.push(err571);
}
errors++;
}
if((typeof data281 == "number") && (isFinite(data281))){
if(data281 < 0 || isNaN(data281)){
const err572 = {instancePath:instancePath+"/run/totals/output_tokens",schemaPath:"#/properties/run/properties/totals/properties/output_tokens/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"};
if(vErrors === null){
vErrors = [err572];
}
else {
vErrors.push(err572);
}
errors++;
}
}
}
if(data279.cost_usd !== undefined && func0.call(data279, "cost_usd")){
let data282 = data279.cost_usd;
const _errs638 = errors;
let valid102 = false;
const _errs639 = errors;
if((typeof data282 == "number") && (isFinite(data282))){
if(data282 < 0 || isNaN(data282)){
const err573 = {instancePath:instancePath+"/run/totals/cost_usd",schemaPath:"#/properties/run/properties/totals/properties/cost_usd/anyOf/0/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"};
if(vErrors === null){
vErrors = [err573];
}
else {
vErrors.push(err573);
}
errors++;
}
}
else {
const err574 = {instancePath:instancePath+"/run/totals/cost_usd",schemaPath:"#/properties/run/properties/totals/properties/cost_usd/anyOf/0/type",keyword:"type",params:{type: "number"},message:"must be number"};
if(vErrors === null){
vErrors = [err574];
}
else {
vErrors.push(err574);
}
errors++;
}
var _valid8 = _errs639 === errors;
valid102 = valid102 || _valid8;
const _errs641 = errors;
if(data282 !== null){
const err575 = {instancePath:instancePath+"/run/totals/cost_usd",schemaPath:"#/properties/run/properties/totals/properties/cost_usd/anyOf/1/type",keyword:"type",params:{type: "null"},message:"must be null"};
if(vErrors === null){
vErrors = [err575];
}
else {
vErrors.push(err575);
}
errors++;
}
var _valid8 = _errs641 === errors;
valid102 = valid102 || _valid8;
if(!valid102){
const err576 = {instancePath:instancePath+"/run/totals/cost_usd",schemaPath:"#/properties/run/properties/totals/properties/cost_usd/anyOf",keyword:"anyOf",params:{},message:"must match a schema in anyOf"};
if(vErrors === null){
vErrors = [err576];
}
else {
vErrors.push(err576);
}
errors++;
}
else {
errors = _errs638;
if(vErrors !== null){
if(_errs638){
vErrors.length = _errs638;
}
else {
vErrors = null;
}
}
}
}
if(data279.estimated !== undefined && func0.call(data279, "estimated")){
if(typeof data279.estimated !== "boolean"){
const err577 = {instancePath:instancePath+"/run/totals/estimated",schemaPath:"#/properties/run/properties/totals/properties/estimated/type",keyword:"type",params:{type: "boolean"},message:"must be boolean"};
if(vErrors === null){
vErrors = [err577];
}
else {
vErrors.push(err577);
}
errors++;
}
}
if(data279.llm_calls !== undefined && func0.call(data279, "llm_calls")){
let data284 = data279.llm_calls;
if(!(((typeof data284 == "number") && (!(data284 % 1) && !isNaN(data284))) && (isFinite(data284)))){
const err578 = {instancePath:instancePath+"/run/totals/llm_calls",schemaPath:"#/properties/run/properties/totals/properties/llm_calls/type",keyword:"type",params:{type: "integer"},message:"must be integer"};
if(vErrors === null){
vErrors = [err578];
}
else {
vErrors.push(err578);
}
errors++;
}
if((typeof data284 == "number") && (isFinite(data284))){
if(data284 < 0 || isNaN(data284)){
const err579 = {instancePath:instancePath+"/run/totals/llm_calls",schemaPath:"#/properties/run/properties/totals/properties/llm_calls/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"};
if(vErrors === null){
vErrors = [err579];
}
else {
vErrors.push(err579);
}
errors++;
}
}
}
if(data279.tool_calls !== undefined && func0.call(data279, "tool_calls")){
let data285 = data279.tool_calls;
if(!(((typeof data285 == "number") && (!(data285 % 1) && !isNaN(data285))) && (isFinite(data285)))){
const err580 = {instancePath:instancePath+"/run/totals/tool_calls",schemaPath:"#/properties/run/properties/totals/properties/tool_calls/type",keyword:"type",params:{type: "integer"},message:"must be integer"};
if(vErrors === null){
vErrors = [err580];
}
else {
vErrors.push(err580);
}
errors++;
}
if((typeof data285 == "number") && (isFinite(data285))){
if(data285 < 0 || isNaN(data285)){
const err581 = {instancePath:instancePath+"/run/totals/tool_calls",schemaPath:"#/properties/run/properties/totals/properties/tool_calls/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"};
if(vErrors === null){
vErrors = [err581];
}
else {
vErrors.push(err581);
}
errors++;
}
}
}
if(data279.iterations !== undefined && func0.call(data279, "iterations")){
let data286 = data279.iterations;
if(!(((typeof data286 == "number") && (!(data286 % 1) && !isNaN(data286))) && (isFinite(data286)))){
const err582 = {instancePath:instancePath+"/run/totals/iterations",schemaPath:"#/properties/run/properties/totals/properties/iterations/type",keyword:"type",params:{type: "integer"},message:"must be integer"};
if(vErrors === null){
vErrors = [err582];
}
else {
vErrors.push(err582);
}
errors++;
}
if((typeof data286 == "number") && (isFinite(data286))){
if(data286 < 0 || isNaN(data286)){
const err583 = {instancePath:instancePath+"/run/totals/iterations",schemaPath:"#/properties/run/properties/totals/properties/iterations/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"};
if(vErrors === null){
vErrors = [err583];
}
else {
vErrors.push(err583);
}
errors++;
}
}
}
if(data279.duration_ms !== undefined && func0.call(data279, "duration_ms")){
let data287 = data279.duration_ms;
if((typeof data287 == "number") && (isFinite(data287))){
if(data287 < 0 || isNaN(data287)){
const err584 = {instancePath:instancePath+"/run/totals/duration_ms",schemaPath:"#/properties/run/properties/totals/properties/duration_ms/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"};
if(vErrors === null){
vErrors = [err584];
}
else {
vErrors.push(err584);
}
errors++;
}
}
else {
const err585 = {instancePath:instancePath+"/run/totals/duration_ms",schemaPath:"#/properties/run/properties/totals/properties/duration_ms/type",keyword:"type",params:{type: "number"},message:"must be number"};
if(vErrors === null){
vErrors = [err585];
}
else {
vErrors.push(err585);
}
errors++;
}
}
}
else {
const err586 = {instancePath:instancePath+"/run/totals",schemaPath:"#/properties/run/properties/totals/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err586];
}
else {
vErrors.push(err586);
}
errors++;
}
}
if(data41.warnings !== undefined && func0.call(data41, "warnings")){
let data288 = data41.warnings;
if(Array.isArray(data288)){
const len25 = data288.length;
for(let i25=0; i25<len25; i25++){
let data289 = data288[i25];
if(data289 && typeof data289 == "object" && !Array.isArray(data289)){
if((data289.code === undefined) || (!(func0.call(data289, "code")))){
const err587 = {instancePath:instancePath+"/run/warnings/" + i25,schemaPath:"#/properties/run/properties/warnings/items/required",keyword:"required",params:{missingProperty: "code"},message:"must have required property '"+"code"+"'"};
if(vErrors === null){
vErrors = [err587];
}
else {
vErrors.push(err587);
}
errors++;
}
if((data289.message === undefined) || (!(func0.call(data289, "message")))){
const err588 = {instancePath:instancePath+"/run/warnings/" + i25,schemaPath:"#/properties/run/properties/warnings/items/required",keyword:"required",params:{missingProperty: "message"},message:"must have required property '"+"message"+"'"};
if(vErrors === null){
vErrors = [err588];
}
else {
vErrors.push(err588);
}
errors++;
}
if(data289.code !== undefined && func0.call(data289, "code")){
if(typeof data289.code !== "string"){
const err589 = {instancePath:instancePath+"/run/warnings/" + i25+"/code",schemaPath:"#/properties/run/properties/warnings/items/properties/code/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err589];
}
else {
vErrors.push(err589);
}
errors++;
}
}
if(data289.message !== undefined && func0.call(data289, "message")){
if(typeof data289.message !== "string"){
const err590 = {instancePath:instancePath+"/run/warnings/" + i25+"/message",schemaPath:"#/properties/run/properties/warnings/items/properties/message/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err590];
}
else {
vErrors.push(err590);
}
errors++;
}
}
}
else {
const err591 = {instancePath:instancePath+"/run/warnings/" + i25,schemaPath:"#/properties/run/properties/warnings/items/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err591];
}
else {
vErrors.push(err591);
}
errors++;
}
}
}
else {
const err592 = {instancePath:instancePath+"/run/warnings",schemaPath:"#/properties/run/properties/warnings/type",keyword:"type",params:{type: "array"},message:"must be array"};
if(vErrors === null){
vErrors = [err592];
}
else {
vErrors.push(err592);
}
errors++;
}
}
if(data41.agents !== undefined && func0.call(data41, "agents")){
let data292 = data41.agents;
if(Array.isArray(data292)){
const len26 = data292.length;
for(let i26=0; i26<len26; i26++){
let data293 = data292[i26];
if(data293 && typeof data293 == "object" && !Array.isArray(data293)){
if((data293.alias === undefined) || (!(func0.call(data293, "alias")))){
const err593 = {instancePath:instancePath+"/run/agents/" + i26,schemaPath:"#/properties/run/properties/agents/items/required",keyword:"required",params:{missingProperty: "alias"},message:"must have required property '"+"alias"+"'"};
if(vErrors === null){
vErrors = [err593];
}
else {
vErrors.push(err593);
}
errors++;
}
if((data293.run_id === undefined) || (!(func0.call(data293, "run_id")))){
const err594 = {instancePath:instancePath+"/run/agents/" + i26,schemaPath:"#/properties/run/properties/agents/items/required",keyword:"required",params:{missingProperty: "run_id"},message:"must have required property '"+"run_id"+"'"};
if(vErrors === null){
vErrors = [err594];
}
else {
vErrors.push(err594);
}
errors++;
}
if((data293.status === undefined) || (!(func0.call(data293, "status")))){
const err595 = {instancePath:instancePath+"/run/agents/" + i26,schemaPath:"#/properties/run/properties/agents/items/required",keyword:"required",params:{missingProperty: "status"},message:"must have required property '"+"status"+"'"};
if(vErrors === null){
vErrors = [err595];
}
else {
vErrors.push(err595);
}
errors++;
}
for(const key41 of Object.keys(data293)){
if(!(((key41 === "alias") || (key41 === "run_id")) || (key41 === "status"))){
const err596 = {instancePath:instancePath+"/run/agents/" + i26,schemaPath:"#/properties/run/properties/agents/items/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key41},message:"must NOT have additional properties"};
if(vErrors === null){
vErrors = [err596];
}
else {
vErrors.push(err596);
}
errors++;
}
}
if(data293.alias !== undefined && func0.call(data293, "alias")){
if(typeof data293.alias !== "string"){
const err597 = {instancePath:instancePath+"/run/agents/" + i26+"/alias",schemaPath:"#/properties/run/properties/agents/items/properties/alias/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err597];
}
else {
vErrors.push(err597);
}
errors++;
}
}
if(data293.run_id !== undefined && func0.call(data293, "run_id")){
if(typeof data293.run_id !== "string"){
const err598 = {instancePath:instancePath+"/run/agents/" + i26+"/run_id",schemaPath:"#/properties/run/properties/agents/items/properties/run_id/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err598];
}
else {
vErrors.push(err598);
}
errors++;
}
}
if(data293.status !== undefined && func0.call(data293, "status")){
let data296 = data293.status;
if(typeof data296 !== "string"){
const err599 = {instancePath:instancePath+"/run/agents/" + i26+"/status",schemaPath:"#/properties/run/properties/agents/items/properties/status/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err599];
}
else {
vErrors.push(err599);
}
errors++;
}
if(!(((data296 === "completed") || (data296 === "failed")) || (data296 === "cancelled"))){
const err600 = {instancePath:instancePath+"/run/agents/" + i26+"/status",schemaPath:"#/properties/run/properties/agents/items/properties/status/enum",keyword:"enum",params:{allowedValues: schema31.properties.run.properties.agents.items.properties.status.enum},message:"must be equal to one of the allowed values"};
if(vErrors === null){
vErrors = [err600];
}
else {
vErrors.push(err600);
}
errors++;
}
}
}
else {
const err601 = {instancePath:instancePath+"/run/agents/" + i26,schemaPath:"#/properties/run/properties/agents/items/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err601];
}
else {
vErrors.push(err601);
}
errors++;
}
}
}
else {
const err602 = {instancePath:instancePath+"/run/agents",schemaPath:"#/properties/run/properties/agents/type",keyword:"type",params:{type: "array"},message:"must be array"};
if(vErrors === null){
vErrors = [err602];
}
else {
vErrors.push(err602);
}
errors++;
}
}
if(data41.partial !== undefined && func0.call(data41, "partial")){
let data297 = data41.partial;
const _errs673 = errors;
let valid109 = false;
const _errs674 = errors;
if(typeof data297 !== "string"){
const err603 = {instancePath:instancePath+"/run/partial",schemaPath:"#/properties/run/properties/partial/anyOf/0/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err603];
}
else {
vErrors.push(err603);
}
errors++;
}
var _valid9 = _errs674 === errors;
valid109 = valid109 || _valid9;
const _errs676 = errors;
if(data297 !== null){
const err604 = {instancePath:instancePath+"/run/partial",schemaPath:"#/properties/run/properties/partial/anyOf/1/type",keyword:"type",params:{type: "null"},message:"must be null"};
if(vErrors === null){
vErrors = [err604];
}
else {
vErrors.push(err604);
}
errors++;
}
var _valid9 = _errs676 === errors;
valid109 = valid109 || _valid9;
if(!valid109){
const err605 = {instancePath:instancePath+"/run/partial",schemaPath:"#/properties/run/properties/partial/anyOf",keyword:"anyOf",params:{},message:"must match a schema in anyOf"};
if(vErrors === null){
vErrors = [err605];
}
else {
vErrors.push(err605);
}
errors++;
}
else {
errors = _errs673;
if(vErrors !== null){
if(_errs673){
vErrors.length = _errs673;
}
else {
vErrors = null;
}
}
}
}
if(data41.end !== undefined && func0.call(data41, "end")){
let data298 = data41.end;
const _errs679 = errors;
let valid110 = false;
const _errs680 = errors;
if(data298 && typeof data298 == "object" && !Array.isArray(data298)){
if((data298.status === undefined) || (!(func0.call(data298, "status")))){
const err606 = {instancePath:instancePath+"/run/end",schemaPath:"#/properties/run/properties/end/anyOf/0/required",keyword:"required",params:{missingProperty: "status"},message:"must have required property '"+"status"+"'"};
if(vErrors === null){
vErrors = [err606];
}
else {
vErrors.push(err606);
}
errors++;
}
if((data298.stop_reason === undefined) || (!(func0.call(data298, "stop_reason")))){
const err607 = {instancePath:instancePath+"/run/end",schemaPath:"#/properties/run/properties/end/anyOf/0/required",keyword:"required",params:{missingProperty: "stop_reason"},message:"must have required property '"+"stop_reason"+"'"};
if(vErrors === null){
vErrors = [err607];
}
else {
vErrors.push(err607);
}
errors++;
}
}
else {
const err608 = {instancePath:instancePath+"/run/end",schemaPath:"#/properties/run/properties/end/anyOf/0/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err608];
}
else {
vErrors.push(err608);
}
errors++;
}
var _valid10 = _errs680 === errors;
valid110 = valid110 || _valid10;
const _errs682 = errors;
if(data298 !== null){
const err609 = {instancePath:instancePath+"/run/end",schemaPath:"#/properties/run/properties/end/anyOf/1/type",keyword:"type",params:{type: "null"},message:"must be null"};
if(vErrors === null){
vErrors = [err609];
}
else {
vErrors.push(err609);
}
errors++;
}
var _valid10 = _errs682 === errors;
valid110 = valid110 || _valid10;
if(!valid110){
const err610 = {instancePath:instancePath+"/run/end",schemaPath:"#/properties/run/properties/end/anyOf",keyword:"anyOf",params:{},message:"must match a schema in anyOf"};
if(vErrors === null){
vErrors = [err610];
}
else {
vErrors.push(err610);
}
errors++;
}
else {
errors = _errs679;
if(vErrors !== null){
if(_errs679){
vErrors.length = _errs679;
}
else {
vErrors = null;
}
}
}
}
if(data41.ending !== undefined && func0.call(data41, "ending")){
let data299 = data41.ending;
const _errs685 = errors;
let valid111 = false;
const _errs686 = errors;
if(data299 && typeof data299 == "object" && !Array.isArray(data299)){
if((data299.end === undefined) || (!(func0.call(data299, "end")))){
const err611 = {instancePath:instancePath+"/run/ending",schemaPath:"#/properties/run/properties/ending/anyOf/0/required",keyword:"required",params:{missingProperty: "end"},message:"must have required property '"+"end"+"'"};
if(vErrors === null){
vErrors = [err611];
}
else {
vErrors.push(err611);
}
errors++;
}
if((data299.since === undefined) || (!(func0.call(data299, "since")))){
const err612 = {instancePath:instancePath+"/run/ending",schemaPath:"#/properties/run/properties/ending/anyOf/0/required",keyword:"required",params:{missingProperty: "since"},message:"must have required property '"+"since"+"'"};
if(vErrors === null){
vErrors = [err612];
}
else {
vErrors.push(err612);
}
errors++;
}
}
else {
const err613 = {instancePath:instancePath+"/run/ending",schemaPath:"#/properties/run/properties/ending/anyOf/0/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err613];
}
else {
vErrors.push(err613);
}
errors++;
}
var _valid11 = _errs686 === errors;
valid111 = valid111 || _valid11;
const _errs688 = errors;
if(data299 !== null){
const err614 = {instancePath:instancePath+"/run/ending",schemaPath:"#/properties/run/properties/ending/anyOf/1/type",keyword:"type",params:{type: "null"},message:"must be null"};
if(vErrors === null){
vErrors = [err614];
}
else {
vErrors.push(err614);
}
errors++;
}
var _valid11 = _errs688 === errors;
valid111 = valid111 || _valid11;
if(!valid111){
const err615 = {instancePath:instancePath+"/run/ending",schemaPath:"#/properties/run/properties/ending/anyOf",keyword:"anyOf",params:{},message:"must match a schema in anyOf"};
if(vErrors === null){
vErrors = [err615];
}
else {
vErrors.push(err615);
}
errors++;
}
else {
errors = _errs685;
if(vErrors !== null){
if(_errs685){
vErrors.length = _errs685;
}
else {
vErrors = null;
}
}
}
}
if(data41.sent_by_origin !== undefined && func0.call(data41, "sent_by_origin")){
let data300 = data41.sent_by_origin;
if(Array.isArray(data300)){
const len27 = data300.length;
for(let i27=0; i27<len27; i27++){
let data301 = data300[i27];
if(data301 && typeof data301 == "object" && !Array.isArray(data301)){
if((data301.path === undefined) || (!(func0.call(data301, "path")))){
const err616 = {instancePath:instancePath+"/run/sent_by_origin/" + i27,schemaPath:"#/properties/run/properties/sent_by_origin/items/required",keyword:"required",params:{missingProperty: "path"},message:"must have required property '"+"path"+"'"};
if(vErrors === null){
vErrors = [err616];
}
else {
vErrors.push(err616);
}
errors++;
}
if((data301.tool === undefined) || (!(func0.call(data301, "tool")))){
const err617 = {instancePath:instancePath+"/run/sent_by_origin/" + i27,schemaPath:"#/properties/run/properties/sent_by_origin/items/required",keyword:"required",params:{missingProperty: "tool"},message:"must have required property '"+"tool"+"'"};
if(vErrors === null){
vErrors = [err617];
}
else {
vErrors.push(err617);
}
errors++;
}
if((data301.args === undefined) || (!(func0.call(data301, "args")))){
const err618 = {instancePath:instancePath+"/run/sent_by_origin/" + i27,schemaPath:"#/properties/run/properties/sent_by_origin/items/required",keyword:"required",params:{missingProperty: "args"},message:"must have required property '"+"args"+"'"};
if(vErrors === null){
vErrors = [err618];
}
else {
vErrors.push(err618);
}
errors++;
}
for(const key42 of Object.keys(data301)){
if(!(((((((key42 === "path") || (key42 === "tool")) || (key42 === "args")) || (key42 === "key")) || (key42 === "idempotent")) || (key42 === "result")) || (key42 === "error"))){
const err619 = {instancePath:instancePath+"/run/sent_by_origin/" + i27,schemaPath:"#/properties/run/properties/sent_by_origin/items/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key42},message:"must NOT have additional properties"};
if(vErrors === null){
vErrors = [err619];
}
else {
vErrors.push(err619);
}
errors++;
}
}
if(data301.path !== undefined && func0.call(data301, "path")){
let data302 = data301.path;
if(Array.isArray(data302)){
const len28 = data302.length;
for(let i28=0; i28<len28; i28++){
if(typeof data302[i28] !== "string"){
const err620 = {instancePath:instancePath+"/run/sent_by_origin/" + i27+"/path/" + i28,schemaPath:"#/properties/run/properties/sent_by_origin/items/properties/path/items/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err620];
}
else {
vErrors.push(err620);
}
errors++;
}
}
}
else {
const err621 = {instancePath:instancePath+"/run/sent_by_origin/" + i27+"/path",schemaPath:"#/properties/run/properties/sent_by_origin/items/properties/path/type",keyword:"type",params:{type: "array"},message:"must be array"};
if(vErrors === null){
vErrors = [err621];
}
else {
vErrors.push(err621);
}
errors++;
}
}
if(data301.tool !== undefined && func0.call(data301, "tool")){
if(typeof data301.tool !== "string"){
const err622 = {instancePath:instancePath+"/run/sent_by_origin/" + i27+"/tool",schemaPath:"#/properties/run/properties/sent_by_origin/items/properties/tool/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err622];
}
else {
vErrors.push(err622);
}
errors++;
}
}
if(data301.args !== undefined && func0.call(data301, "args")){
let data305 = data301.args;
if(!(data305 && typeof data305 == "object" && !Array.isArray(data305))){
const err623 = {instancePath:instancePath+"/run/sent_by_origin/" + i27+"/args",schemaPath:"#/properties/run/properties/sent_by_origin/items/properties/args/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err623];
}
else {
vErrors.push(err623);
}
errors++;
}
}
if(data301.key !== undefined && func0.call(data301, "key")){
if(typeof data301.key !== "string"){
const err624 = {instancePath:instancePath+"/run/sent_by_origin/" + i27+"/key",schemaPath:"#/properties/run/properties/sent_by_origin/items/properties/key/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err624];
}
else {
vErrors.push(err624);
}
errors++;
}
}
if(data301.idempotent !== undefined && func0.call(data301, "idempotent")){
if(typeof data301.idempotent !== "boolean"){
const err625 = {instancePath:instancePath+"/run/sent_by_origin/" + i27+"/idempotent",schemaPath:"#/properties/run/properties/sent_by_origin/items/properties/idempotent/type",keyword:"type",params:{type: "boolean"},message:"must be boolean"};
if(vErrors === null){
vErrors = [err625];
}
else {
vErrors.push(err625);
}
errors++;
}
}
if(data301.error !== undefined && func0.call(data301, "error")){
if(typeof data301.error !== "boolean"){
const err626 = {instancePath:instancePath+"/run/sent_by_origin/" + i27+"/error",schemaPath:"#/properties/run/properties/sent_by_origin/items/properties/error/type",keyword:"type",params:{type: "boolean"},message:"must be boolean"};
if(vErrors === null){
vErrors = [err626];
}
else {
vErrors.push(err626);
}
errors++;
}
}
}
else {
const err627 = {instancePath:instancePath+"/run/sent_by_origin/" + i27,schemaPath:"#/properties/run/properties/sent_by_origin/items/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err627];
}
else {
vErrors.push(err627);
}
errors++;
}
}
}
else {
const err628 = {instancePath:instancePath+"/run/sent_by_origin",schemaPath:"#/properties/run/properties/sent_by_origin/type",keyword:"type",params:{type: "array"},message:"must be array"};
if(vErrors === null){
vErrors = [err628];
}
else {
vErrors.push(err628);
}
errors++;
}
}
}
else {
const err629 = {instancePath:instancePath+"/run",schemaPath:"#/properties/run/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err629];
}
else {
vErrors.push(err629);
}
errors++;
}
}
if(data.documents !== undefined && func0.call(data, "documents")){
let data309 = data.documents;
if(Array.isArray(data309)){
const len29 = data309.length;
for(let i29=0; i29<len29; i29++){
let data310 = data309[i29];
if(!(data310 && typeof data310 == "object" && !Array.isArray(data310))){
const err630 = {instancePath:instancePath+"/documents/" + i29,schemaPath:"#/properties/documents/items/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err630];
}
else {
vErrors.push(err630);
}
errors++;
}
}
}
else {
const err631 = {instancePath:instancePath+"/documents",schemaPath:"#/properties/documents/type",keyword:"type",params:{type: "array"},message:"must be array"};
if(vErrors === null){
vErrors = [err631];
}
else {
vErrors.push(err631);
}
errors++;
}
}
if(data.receipts !== undefined && func0.call(data, "receipts")){
let data311 = data.receipts;
if(Array.isArray(data311)){
const len30 = data311.length;
for(let i30=0; i30<len30; i30++){
let data312 = data311[i30];
if(data312 && typeof data312 == "object" && !Array.isArray(data312)){
if((data312.type === undefined) || (!(func0.call(data312, "type")))){
const err632 = {instancePath:instancePath+"/receipts/" + i30,schemaPath:"#/properties/receipts/items/required",keyword:"required",params:{missingProperty: "type"},message:"must have required property '"+"type"+"'"};
if(vErrors === null){
vErrors = [err632];
}
else {
vErrors.push(err632);
}
errors++;
}
if(data312.type !== undefined && func0.call(data312, "type")){
let data313 = data312.type;
if(typeof data313 !== "string"){
const err633 = {instancePath:instancePath+"/receipts/" + i30+"/type",schemaPath:"#/properties/receipts/items/properties/type/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err633];
}
else {
vErrors.push(err633);
}
errors++;
}
if(!((data313 === "receipt") || (data313 === "receipts.end"))){
const err634 = {instancePath:instancePath+"/receipts/" + i30+"/type",schemaPath:"#/properties/receipts/items/properties/type/enum",keyword:"enum",params:{allowedValues: schema31.properties.receipts.items.properties.type.enum},message:"must be equal to one of the allowed values"};
if(vErrors === null){
vErrors = [err634];
}
else {
vErrors.push(err634);
}
errors++;
}
}
}
else {
const err635 = {instancePath:instancePath+"/receipts/" + i30,schemaPath:"#/properties/receipts/items/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err635];
}
else {
vErrors.push(err635);
}
errors++;
}
}
}
else {
const err636 = {instancePath:instancePath+"/receipts",schemaPath:"#/properties/receipts/type",keyword:"type",params:{type: "array"},message:"must be array"};
if(vErrors === null){
vErrors = [err636];
}
else {
vErrors.push(err636);
}
errors++;
}
}
if(data.personal_data !== undefined && func0.call(data, "personal_data")){
if(typeof data.personal_data !== "string"){
const err637 = {instancePath:instancePath+"/personal_data",schemaPath:"#/properties/personal_data/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err637];
}
else {
vErrors.push(err637);
}
errors++;
}
}
}
else {
const err638 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err638];
}
else {
vErrors.push(err638);
}
errors++;
}
validate20.errors = vErrors;
return errors === 0;
}
validate20.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};
