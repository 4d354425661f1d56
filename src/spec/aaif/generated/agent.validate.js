// Generated from src/spec/aaif/agent.schema.ts by `npm run generate`. Do not edit.
"use strict";
export const validate = validate20;
export default validate20;
const schema31 = {"$schema":"https://json-schema.org/draft/2020-12/schema","$id":"urn:waybill:schema:aaif:agent:3.4.0","type":"object","required":["sc_standard","agent"],"properties":{"_comment":{"type":"string"},"sc_standard":{"const":"SC-006"},"sc_version":{"type":"string","pattern":"^\\d+\\.\\d+\\.\\d+$"},"agent_id":{"type":"string"},"status":{"type":"string","enum":["draft","active","deprecated"]},"tags":{"type":"array","items":{"type":"string"},"uniqueItems":true},"agent":{"$ref":"#/$defs/Agent"},"provenance":{"$ref":"#/$defs/Provenance"}},"additionalProperties":false,"patternProperties":{"^x-":{}},"$defs":{"Agent":{"type":"object","required":["name","goal"],"properties":{"name":{"type":"string","minLength":1},"version":{"type":"string","pattern":"^\\d+\\.\\d+\\.\\d+$"},"description":{"type":"string"},"goal":{"type":"string"},"instructions":{"type":"string"},"skills":{"type":"array","items":{"type":"string"},"uniqueItems":true},"required_capabilities":{"type":"array","items":{"type":"string"},"uniqueItems":true},"model":{"$ref":"#/$defs/Model"},"orchestration":{"$ref":"#/$defs/Orchestration"},"context":{"type":"array","items":{"$ref":"#/$defs/ContextItem"}},"tools":{"type":"array","items":{"$ref":"#/$defs/Tool"}},"memory":{"type":"array","items":{"$ref":"#/$defs/MemoryEntry"}},"constraints":{"type":"array","items":{"type":"string"}},"io":{"$ref":"#/$defs/Io"},"events":{"$ref":"#/$defs/Events"},"runtime":{"$ref":"#/$defs/Runtime"},"telemetry":{"$ref":"#/$defs/Telemetry"},"evaluation":{"$ref":"#/$defs/Evaluation"},"compliance":{"$ref":"#/$defs/Compliance"}},"additionalProperties":false},"Model":{"type":"object","properties":{"provider":{"type":"string","enum":["openai","anthropic","google","vertex_ai","mistral","cohere","groq","ollama","azure_openai","bedrock","huggingface","together","fireworks","deepseek","xai","openrouter","custom"]},"provider_id":{"type":"string"},"base_url":{"type":"string"},"preferred":{"type":"string"},"fallbacks":{"type":"array","items":{"$ref":"#/$defs/Fallback"}},"routing_strategy":{"type":"string","enum":["preferred_first","cost","latency","quality","round_robin"]},"min_context_tokens":{"type":"integer","minimum":0},"temperature":{"type":"number","minimum":0,"maximum":2},"params":{"$ref":"#/$defs/ModelParams"},"response_format":{"type":"string","enum":["text","json","json_schema","markdown"]}},"additionalProperties":false,"if":{"required":["provider"],"properties":{"provider":{"const":"custom"}}},"then":{"required":["provider_id"],"properties":{"provider_id":{"minLength":1}}}},"Fallback":{"type":"object","required":["provider","model"],"properties":{"provider":{"type":"string"},"model":{"type":"string"},"max_cost_usd_per_1k_tokens":{"type":"number"}},"additionalProperties":false},"ModelParams":{"type":"object","properties":{"max_tokens":{"type":"integer","minimum":1},"top_p":{"type":"number","minimum":0,"maximum":1},"frequency_penalty":{"type":"number","minimum":-2,"maximum":2},"presence_penalty":{"type":"number","minimum":-2,"maximum":2},"stop":{"type":"array","items":{"type":"string"},"maxItems":4},"seed":{"type":"integer"},"extended":{"type":"object"}},"additionalProperties":false},"Orchestration":{"type":"object","properties":{"role":{"type":"string","enum":["orchestrator","worker","evaluator","router","synthesizer"]},"subagents":{"type":"array","items":{"$ref":"#/$defs/Subagent"}},"handoff":{"type":"array","items":{"$ref":"#/$defs/HandoffRule"}},"pipeline":{"type":"array","items":{"type":"string"}},"parallel_execution":{"type":"boolean"},"max_iterations":{"type":"integer","minimum":1},"consensus":{"$ref":"#/$defs/Consensus"}},"additionalProperties":false},"Subagent":{"type":"object","required":["ref"],"properties":{"ref":{"type":"string"},"alias":{"type":"string"},"role":{"type":"string","enum":["worker","evaluator","specialist","fallback"]},"when":{"$ref":"#/$defs/Condition"},"pass_memory_keys":{"type":"array","items":{"type":"string"}}},"additionalProperties":false},"HandoffRule":{"type":"object","required":["condition","target_agent"],"properties":{"condition":{"$ref":"#/$defs/Condition"},"target_agent":{"type":"string"},"pass_context":{"type":"boolean"},"pass_memory":{"type":"boolean"}},"additionalProperties":false},"Consensus":{"type":"object","properties":{"strategy":{"type":"string","enum":["majority_vote","best_of_n","referee","first_success"]},"min_votes":{"type":"integer","minimum":1},"referee_agent":{"type":"string"}},"additionalProperties":false},"Condition":{"type":["string","object"],"required":["lang"],"properties":{"lang":{"type":"string","enum":["jsonpath","jmespath","cel","jsonlogic","always","never"]},"expr":{"type":["string","object","boolean"]},"nl":{"type":"string"}},"additionalProperties":false,"if":{"properties":{"lang":{"enum":["jsonpath","jmespath","cel","jsonlogic"]}}},"then":{"required":["expr"]}},"ContextItem":{"type":"object","required":["type","value"],"properties":{"type":{"type":"string","enum":["text","file","url","dataset","schema_ref"]},"label":{"type":"string"},"value":{"type":"string"},"description":{"type":"string"},"refresh_ttl_seconds":{"type":"integer","minimum":0}},"additionalProperties":false},"Tool":{"type":"object","required":["name","description"],"properties":{"name":{"type":"string","pattern":"^[a-zA-Z_][a-zA-Z0-9_-]{0,63}$"},"description":{"type":"string"},"protocol":{"type":"string","enum":["function","mcp","http","openapi"]},"parameters_schema":{"type":"object"},"output_schema":{"type":"object"},"endpoint":{"type":"string"},"auth":{"$ref":"#/$defs/ToolAuth"},"cache_ttl_seconds":{"type":"integer","minimum":0},"timeout_seconds":{"type":"integer","minimum":1},"rate_limit":{"$ref":"#/$defs/RateLimit"}},"additionalProperties":false},"ToolAuth":{"type":"object","properties":{"type":{"type":"string","enum":["none","bearer","api_key","oauth2","aws_sigv4","basic","mtls"]},"env_var":{"type":"string"},"vault_ref":{"$ref":"#/$defs/VaultRef"},"header":{"type":"string"},"scopes":{"type":"array","items":{"type":"string"}},"token_url":{"type":"string"}},"additionalProperties":false},"VaultRef":{"type":"object","required":["provider","path"],"properties":{"provider":{"type":"string","enum":["aws_secretsmanager","hashicorp_vault","azure_keyvault","gcp_secretmanager","1password","custom"]},"path":{"type":"string"},"key":{"type":"string"},"version":{"type":"string"}},"additionalProperties":false},"RateLimit":{"type":"object","properties":{"requests_per_minute":{"type":"integer","minimum":1},"tokens_per_minute":{"type":"integer","minimum":1}},"additionalProperties":false},"MemoryEntry":{"type":"object","required":["scope","content"],"properties":{"scope":{"type":"string","enum":["user","session","task","long_term"]},"key":{"type":"string"},"content":{"type":"string"},"backend":{"type":"string","enum":["in_memory","redis","postgres","sqlite","pinecone","weaviate","qdrant","chroma","custom"]},"ttl_seconds":{"type":"integer","minimum":0},"embedding_model":{"type":"string"},"retrieval_strategy":{"type":"string","enum":["similarity","keyword","hybrid","recency"]},"top_k":{"type":"integer","minimum":1}},"additionalProperties":false},"Io":{"type":"object","properties":{"input_schema":{"type":"object"},"output_schema":{"type":"object"},"streaming":{"type":"boolean"},"format":{"type":"string","enum":["text","json","markdown","structured"]},"mode":{"type":"string","enum":["sync","async","batch"]}},"additionalProperties":false},"Events":{"type":"object","properties":{"triggers":{"type":"array","items":{"$ref":"#/$defs/Trigger"}},"on_start":{"type":"string"},"on_complete":{"type":"string"},"on_error":{"type":"string"},"on_tool_call":{"type":"string"}},"additionalProperties":false},"Trigger":{"type":"object","required":["type"],"properties":{"type":{"type":"string","enum":["manual","schedule","webhook","message","event","agent_handoff","file_change"]},"schedule":{"type":"string"},"event_name":{"type":"string"},"webhook_path":{"type":"string"},"filter":{"$ref":"#/$defs/Condition"}},"additionalProperties":false},"Runtime":{"type":"object","properties":{"timeout_seconds":{"type":"integer","minimum":1},"max_retries":{"type":"integer","minimum":0},"retry_backoff":{"type":"string","enum":["fixed","linear","exponential"]},"concurrency":{"type":"integer","minimum":1},"streaming":{"type":"boolean"},"async_execution":{"type":"boolean"},"queue":{"type":"string"},"environment":{"type":"string","enum":["production","staging","development","test"]}},"additionalProperties":false},"Telemetry":{"type":"object","properties":{"tracing":{"type":"boolean"},"log_level":{"type":"string","enum":["debug","info","warn","error"]},"metrics":{"type":"boolean"},"trace_context_header":{"type":"string"},"otlp_endpoint":{"type":"string"}},"additionalProperties":false},"Evaluation":{"type":"object","properties":{"judge_model":{"type":"string"},"metrics":{"type":"array","items":{"$ref":"#/$defs/Metric"}},"test_cases":{"type":"array","items":{"$ref":"#/$defs/TestCase"}}},"additionalProperties":false},"Metric":{"type":"object","required":["name"],"properties":{"name":{"type":"string","enum":["faithfulness","relevance","coherence","toxicity","hallucination_rate","task_completion","latency_ms","cost_usd_per_run","tool_call_accuracy","custom"]},"threshold":{"type":"number"},"custom_name":{"type":"string"}},"additionalProperties":false},"TestCase":{"type":"object","required":["id","input"],"properties":{"id":{"type":"string"},"input":{},"expected_output":{},"criteria":{"type":"string"}},"additionalProperties":false},"Compliance":{"type":"object","properties":{"safety_level":{"type":"string","enum":["minimal","standard","strict","regulated"]},"data_residency":{"type":"string","enum":["global","EU","US","UK","APAC","custom"]},"pii_handling":{"type":"string","enum":["none","detect","anonymize","encrypt","reject"]},"audit_log":{"type":"boolean"},"human_in_the_loop":{"$ref":"#/$defs/HumanInTheLoop"}},"additionalProperties":false},"HumanInTheLoop":{"type":"object","properties":{"enabled":{"type":"boolean"},"trigger":{"$ref":"#/$defs/Condition"},"timeout_seconds":{"type":"integer"}},"additionalProperties":false},"Provenance":{"type":"object","properties":{"authored_by":{"type":"string"},"source_platform":{"type":"string"},"created_at":{"type":"string"},"updated_at":{"type":"string"},"license":{"type":"string"},"sc_refs":{"type":"array","items":{"type":"string"}},"signature":{"type":"string"}},"additionalProperties":false}}};
const schema60 = {"type":"object","properties":{"authored_by":{"type":"string"},"source_platform":{"type":"string"},"created_at":{"type":"string"},"updated_at":{"type":"string"},"license":{"type":"string"},"sc_refs":{"type":"array","items":{"type":"string"}},"signature":{"type":"string"}},"additionalProperties":false};
const func0 = Object.prototype.hasOwnProperty;
const pattern4 = new RegExp("^x-", "u");
const pattern5 = new RegExp("^\\d+\\.\\d+\\.\\d+$", "u");
const schema32 = {"type":"object","required":["name","goal"],"properties":{"name":{"type":"string","minLength":1},"version":{"type":"string","pattern":"^\\d+\\.\\d+\\.\\d+$"},"description":{"type":"string"},"goal":{"type":"string"},"instructions":{"type":"string"},"skills":{"type":"array","items":{"type":"string"},"uniqueItems":true},"required_capabilities":{"type":"array","items":{"type":"string"},"uniqueItems":true},"model":{"$ref":"#/$defs/Model"},"orchestration":{"$ref":"#/$defs/Orchestration"},"context":{"type":"array","items":{"$ref":"#/$defs/ContextItem"}},"tools":{"type":"array","items":{"$ref":"#/$defs/Tool"}},"memory":{"type":"array","items":{"$ref":"#/$defs/MemoryEntry"}},"constraints":{"type":"array","items":{"type":"string"}},"io":{"$ref":"#/$defs/Io"},"events":{"$ref":"#/$defs/Events"},"runtime":{"$ref":"#/$defs/Runtime"},"telemetry":{"$ref":"#/$defs/Telemetry"},"evaluation":{"$ref":"#/$defs/Evaluation"},"compliance":{"$ref":"#/$defs/Compliance"}},"additionalProperties":false};
const schema42 = {"type":"object","required":["type","value"],"properties":{"type":{"type":"string","enum":["text","file","url","dataset","schema_ref"]},"label":{"type":"string"},"value":{"type":"string"},"description":{"type":"string"},"refresh_ttl_seconds":{"type":"integer","minimum":0}},"additionalProperties":false};
const schema47 = {"type":"object","required":["scope","content"],"properties":{"scope":{"type":"string","enum":["user","session","task","long_term"]},"key":{"type":"string"},"content":{"type":"string"},"backend":{"type":"string","enum":["in_memory","redis","postgres","sqlite","pinecone","weaviate","qdrant","chroma","custom"]},"ttl_seconds":{"type":"integer","minimum":0},"embedding_model":{"type":"string"},"retrieval_strategy":{"type":"string","enum":["similarity","keyword","hybrid","recency"]},"top_k":{"type":"integer","minimum":1}},"additionalProperties":false};
const schema48 = {"type":"object","properties":{"input_schema":{"type":"object"},"output_schema":{"type":"object"},"streaming":{"type":"boolean"},"format":{"type":"string","enum":["text","json","markdown","structured"]},"mode":{"type":"string","enum":["sync","async","batch"]}},"additionalProperties":false};
const schema52 = {"type":"object","properties":{"timeout_seconds":{"type":"integer","minimum":1},"max_retries":{"type":"integer","minimum":0},"retry_backoff":{"type":"string","enum":["fixed","linear","exponential"]},"concurrency":{"type":"integer","minimum":1},"streaming":{"type":"boolean"},"async_execution":{"type":"boolean"},"queue":{"type":"string"},"environment":{"type":"string","enum":["production","staging","development","test"]}},"additionalProperties":false};
const schema53 = {"type":"object","properties":{"tracing":{"type":"boolean"},"log_level":{"type":"string","enum":["debug","info","warn","error"]},"metrics":{"type":"boolean"},"trace_context_header":{"type":"string"},"otlp_endpoint":{"type":"string"}},"additionalProperties":false};
const func73 = (text) => [...text].length;
const schema33 = {"type":"object","properties":{"provider":{"type":"string","enum":["openai","anthropic","google","vertex_ai","mistral","cohere","groq","ollama","azure_openai","bedrock","huggingface","together","fireworks","deepseek","xai","openrouter","custom"]},"provider_id":{"type":"string"},"base_url":{"type":"string"},"preferred":{"type":"string"},"fallbacks":{"type":"array","items":{"$ref":"#/$defs/Fallback"}},"routing_strategy":{"type":"string","enum":["preferred_first","cost","latency","quality","round_robin"]},"min_context_tokens":{"type":"integer","minimum":0},"temperature":{"type":"number","minimum":0,"maximum":2},"params":{"$ref":"#/$defs/ModelParams"},"response_format":{"type":"string","enum":["text","json","json_schema","markdown"]}},"additionalProperties":false,"if":{"required":["provider"],"properties":{"provider":{"const":"custom"}}},"then":{"required":["provider_id"],"properties":{"provider_id":{"minLength":1}}}};
const schema34 = {"type":"object","required":["provider","model"],"properties":{"provider":{"type":"string"},"model":{"type":"string"},"max_cost_usd_per_1k_tokens":{"type":"number"}},"additionalProperties":false};
const schema35 = {"type":"object","properties":{"max_tokens":{"type":"integer","minimum":1},"top_p":{"type":"number","minimum":0,"maximum":1},"frequency_penalty":{"type":"number","minimum":-2,"maximum":2},"presence_penalty":{"type":"number","minimum":-2,"maximum":2},"stop":{"type":"array","items":{"type":"string"},"maxItems":4},"seed":{"type":"integer"},"extended":{"type":"object"}},"additionalProperties":false};

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
const _errs1 = errors;
let valid0 = true;
const _errs2 = errors;
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if(((data.provider === undefined) || (!(func0.call(data, "provider")))) && (missing0 = "provider")){
const err0 = {};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
else {
if(data.provider !== undefined && func0.call(data, "provider")){
if("custom" !== data.provider){
const err1 = {};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
}
}
}
var _valid0 = _errs2 === errors;
errors = _errs1;
if(vErrors !== null){
if(_errs1){
vErrors.length = _errs1;
}
else {
vErrors = null;
}
}
if(_valid0){
const _errs4 = errors;
if(data && typeof data == "object" && !Array.isArray(data)){
if((data.provider_id === undefined) || (!(func0.call(data, "provider_id")))){
const err2 = {instancePath,schemaPath:"#/then/required",keyword:"required",params:{missingProperty: "provider_id"},message:"must have required property '"+"provider_id"+"'"};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
if(data.provider_id !== undefined && func0.call(data, "provider_id")){
let data1 = data.provider_id;
if(typeof data1 === "string"){
if(func73(data1) < 1){
const err3 = {instancePath:instancePath+"/provider_id",schemaPath:"#/then/properties/provider_id/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"};
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
}
var _valid0 = _errs4 === errors;
valid0 = _valid0;
if(valid0){
var props0 = {};
props0.provider_id = true;
props0.provider = true;
}
}
if(!valid0){
const err4 = {instancePath,schemaPath:"#/if",keyword:"if",params:{failingKeyword: "then"},message:"must match \"then\" schema"};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
if(data && typeof data == "object" && !Array.isArray(data)){
for(const key0 of Object.keys(data)){
if(!(func0.call(schema33.properties, key0))){
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
if(data.provider !== undefined && func0.call(data, "provider")){
let data2 = data.provider;
if(typeof data2 !== "string"){
const err6 = {instancePath:instancePath+"/provider",schemaPath:"#/properties/provider/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
if(!(((((((((((((((((data2 === "openai") || (data2 === "anthropic")) || (data2 === "google")) || (data2 === "vertex_ai")) || (data2 === "mistral")) || (data2 === "cohere")) || (data2 === "groq")) || (data2 === "ollama")) || (data2 === "azure_openai")) || (data2 === "bedrock")) || (data2 === "huggingface")) || (data2 === "together")) || (data2 === "fireworks")) || (data2 === "deepseek")) || (data2 === "xai")) || (data2 === "openrouter")) || (data2 === "custom"))){
const err7 = {instancePath:instancePath+"/provider",schemaPath:"#/properties/provider/enum",keyword:"enum",params:{allowedValues: schema33.properties.provider.enum},message:"must be equal to one of the allowed values"};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
}
if(data.provider_id !== undefined && func0.call(data, "provider_id")){
if(typeof data.provider_id !== "string"){
const err8 = {instancePath:instancePath+"/provider_id",schemaPath:"#/properties/provider_id/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
}
if(data.base_url !== undefined && func0.call(data, "base_url")){
if(typeof data.base_url !== "string"){
const err9 = {instancePath:instancePath+"/base_url",schemaPath:"#/properties/base_url/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
}
if(data.preferred !== undefined && func0.call(data, "preferred")){
if(typeof data.preferred !== "string"){
const err10 = {instancePath:instancePath+"/preferred",schemaPath:"#/properties/preferred/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
}
}
if(data.fallbacks !== undefined && func0.call(data, "fallbacks")){
let data6 = data.fallbacks;
if(Array.isArray(data6)){
const len0 = data6.length;
for(let i0=0; i0<len0; i0++){
let data7 = data6[i0];
if(data7 && typeof data7 == "object" && !Array.isArray(data7)){
if((data7.provider === undefined) || (!(func0.call(data7, "provider")))){
const err11 = {instancePath:instancePath+"/fallbacks/" + i0,schemaPath:"#/$defs/Fallback/required",keyword:"required",params:{missingProperty: "provider"},message:"must have required property '"+"provider"+"'"};
if(vErrors === null){
vErrors = [err11];
}
else {
vErrors.push(err11);
}
errors++;
}
if((data7.model === undefined) || (!(func0.call(data7, "model")))){
const err12 = {instancePath:instancePath+"/fallbacks/" + i0,schemaPath:"#/$defs/Fallback/required",keyword:"required",params:{missingProperty: "model"},message:"must have required property '"+"model"+"'"};
if(vErrors === null){
vErrors = [err12];
}
else {
vErrors.push(err12);
}
errors++;
}
for(const key1 of Object.keys(data7)){
if(!(((key1 === "provider") || (key1 === "model")) || (key1 === "max_cost_usd_per_1k_tokens"))){
const err13 = {instancePath:instancePath+"/fallbacks/" + i0,schemaPath:"#/$defs/Fallback/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key1},message:"must NOT have additional properties"};
if(vErrors === null){
vErrors = [err13];
}
else {
vErrors.push(err13);
}
errors++;
}
}
if(data7.provider !== undefined && func0.call(data7, "provider")){
if(typeof data7.provider !== "string"){
const err14 = {instancePath:instancePath+"/fallbacks/" + i0+"/provider",schemaPath:"#/$defs/Fallback/properties/provider/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err14];
}
else {
vErrors.push(err14);
}
errors++;
}
}
if(data7.model !== undefined && func0.call(data7, "model")){
if(typeof data7.model !== "string"){
const err15 = {instancePath:instancePath+"/fallbacks/" + i0+"/model",schemaPath:"#/$defs/Fallback/properties/model/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err15];
}
else {
vErrors.push(err15);
}
errors++;
}
}
if(data7.max_cost_usd_per_1k_tokens !== undefined && func0.call(data7, "max_cost_usd_per_1k_tokens")){
let data10 = data7.max_cost_usd_per_1k_tokens;
if(!((typeof data10 == "number") && (isFinite(data10)))){
const err16 = {instancePath:instancePath+"/fallbacks/" + i0+"/max_cost_usd_per_1k_tokens",schemaPath:"#/$defs/Fallback/properties/max_cost_usd_per_1k_tokens/type",keyword:"type",params:{type: "number"},message:"must be number"};
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
const err17 = {instancePath:instancePath+"/fallbacks/" + i0,schemaPath:"#/$defs/Fallback/type",keyword:"type",params:{type: "object"},message:"must be object"};
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
const err18 = {instancePath:instancePath+"/fallbacks",schemaPath:"#/properties/fallbacks/type",keyword:"type",params:{type: "array"},message:"must be array"};
if(vErrors === null){
vErrors = [err18];
}
else {
vErrors.push(err18);
}
errors++;
}
}
if(data.routing_strategy !== undefined && func0.call(data, "routing_strategy")){
let data11 = data.routing_strategy;
if(typeof data11 !== "string"){
const err19 = {instancePath:instancePath+"/routing_strategy",schemaPath:"#/properties/routing_strategy/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err19];
}
else {
vErrors.push(err19);
}
errors++;
}
if(!(((((data11 === "preferred_first") || (data11 === "cost")) || (data11 === "latency")) || (data11 === "quality")) || (data11 === "round_robin"))){
const err20 = {instancePath:instancePath+"/routing_strategy",schemaPath:"#/properties/routing_strategy/enum",keyword:"enum",params:{allowedValues: schema33.properties.routing_strategy.enum},message:"must be equal to one of the allowed values"};
if(vErrors === null){
vErrors = [err20];
}
else {
vErrors.push(err20);
}
errors++;
}
}
if(data.min_context_tokens !== undefined && func0.call(data, "min_context_tokens")){
let data12 = data.min_context_tokens;
if(!(((typeof data12 == "number") && (!(data12 % 1) && !isNaN(data12))) && (isFinite(data12)))){
const err21 = {instancePath:instancePath+"/min_context_tokens",schemaPath:"#/properties/min_context_tokens/type",keyword:"type",params:{type: "integer"},message:"must be integer"};
if(vErrors === null){
vErrors = [err21];
}
else {
vErrors.push(err21);
}
errors++;
}
if((typeof data12 == "number") && (isFinite(data12))){
if(data12 < 0 || isNaN(data12)){
const err22 = {instancePath:instancePath+"/min_context_tokens",schemaPath:"#/properties/min_context_tokens/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"};
if(vErrors === null){
vErrors = [err22];
}
else {
vErrors.push(err22);
}
errors++;
}
}
}
if(data.temperature !== undefined && func0.call(data, "temperature")){
let data13 = data.temperature;
if((typeof data13 == "number") && (isFinite(data13))){
if(data13 > 2 || isNaN(data13)){
const err23 = {instancePath:instancePath+"/temperature",schemaPath:"#/properties/temperature/maximum",keyword:"maximum",params:{comparison: "<=", limit: 2},message:"must be <= 2"};
if(vErrors === null){
vErrors = [err23];
}
else {
vErrors.push(err23);
}
errors++;
}
if(data13 < 0 || isNaN(data13)){
const err24 = {instancePath:instancePath+"/temperature",schemaPath:"#/properties/temperature/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"};
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
const err25 = {instancePath:instancePath+"/temperature",schemaPath:"#/properties/temperature/type",keyword:"type",params:{type: "number"},message:"must be number"};
if(vErrors === null){
vErrors = [err25];
}
else {
vErrors.push(err25);
}
errors++;
}
}
if(data.params !== undefined && func0.call(data, "params")){
let data14 = data.params;
if(data14 && typeof data14 == "object" && !Array.isArray(data14)){
for(const key2 of Object.keys(data14)){
if(!(((((((key2 === "max_tokens") || (key2 === "top_p")) || (key2 === "frequency_penalty")) || (key2 === "presence_penalty")) || (key2 === "stop")) || (key2 === "seed")) || (key2 === "extended"))){
const err26 = {instancePath:instancePath+"/params",schemaPath:"#/$defs/ModelParams/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key2},message:"must NOT have additional properties"};
if(vErrors === null){
vErrors = [err26];
}
else {
vErrors.push(err26);
}
errors++;
}
}
if(data14.max_tokens !== undefined && func0.call(data14, "max_tokens")){
let data15 = data14.max_tokens;
if(!(((typeof data15 == "number") && (!(data15 % 1) && !isNaN(data15))) && (isFinite(data15)))){
const err27 = {instancePath:instancePath+"/params/max_tokens",schemaPath:"#/$defs/ModelParams/properties/max_tokens/type",keyword:"type",params:{type: "integer"},message:"must be integer"};
if(vErrors === null){
vErrors = [err27];
}
else {
vErrors.push(err27);
}
errors++;
}
if((typeof data15 == "number") && (isFinite(data15))){
if(data15 < 1 || isNaN(data15)){
const err28 = {instancePath:instancePath+"/params/max_tokens",schemaPath:"#/$defs/ModelParams/properties/max_tokens/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1},message:"must be >= 1"};
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
if(data14.top_p !== undefined && func0.call(data14, "top_p")){
let data16 = data14.top_p;
if((typeof data16 == "number") && (isFinite(data16))){
if(data16 > 1 || isNaN(data16)){
const err29 = {instancePath:instancePath+"/params/top_p",schemaPath:"#/$defs/ModelParams/properties/top_p/maximum",keyword:"maximum",params:{comparison: "<=", limit: 1},message:"must be <= 1"};
if(vErrors === null){
vErrors = [err29];
}
else {
vErrors.push(err29);
}
errors++;
}
if(data16 < 0 || isNaN(data16)){
const err30 = {instancePath:instancePath+"/params/top_p",schemaPath:"#/$defs/ModelParams/properties/top_p/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"};
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
const err31 = {instancePath:instancePath+"/params/top_p",schemaPath:"#/$defs/ModelParams/properties/top_p/type",keyword:"type",params:{type: "number"},message:"must be number"};
if(vErrors === null){
vErrors = [err31];
}
else {
vErrors.push(err31);
}
errors++;
}
}
if(data14.frequency_penalty !== undefined && func0.call(data14, "frequency_penalty")){
let data17 = data14.frequency_penalty;
if((typeof data17 == "number") && (isFinite(data17))){
if(data17 > 2 || isNaN(data17)){
const err32 = {instancePath:instancePath+"/params/frequency_penalty",schemaPath:"#/$defs/ModelParams/properties/frequency_penalty/maximum",keyword:"maximum",params:{comparison: "<=", limit: 2},message:"must be <= 2"};
if(vErrors === null){
vErrors = [err32];
}
else {
vErrors.push(err32);
}
errors++;
}
if(data17 < -2 || isNaN(data17)){
const err33 = {instancePath:instancePath+"/params/frequency_penalty",schemaPath:"#/$defs/ModelParams/properties/frequency_penalty/minimum",keyword:"minimum",params:{comparison: ">=", limit: -2},message:"must be >= -2"};
if(vErrors === null){
vErrors = [err33];
}
else {
vErrors.push(err33);
}
errors++;
}
}
else {
const err34 = {instancePath:instancePath+"/params/frequency_penalty",schemaPath:"#/$defs/ModelParams/properties/frequency_penalty/type",keyword:"type",params:{type: "number"},message:"must be number"};
if(vErrors === null){
vErrors = [err34];
}
else {
vErrors.push(err34);
}
errors++;
}
}
if(data14.presence_penalty !== undefined && func0.call(data14, "presence_penalty")){
let data18 = data14.presence_penalty;
if((typeof data18 == "number") && (isFinite(data18))){
if(data18 > 2 || isNaN(data18)){
const err35 = {instancePath:instancePath+"/params/presence_penalty",schemaPath:"#/$defs/ModelParams/properties/presence_penalty/maximum",keyword:"maximum",params:{comparison: "<=", limit: 2},message:"must be <= 2"};
if(vErrors === null){
vErrors = [err35];
}
else {
vErrors.push(err35);
}
errors++;
}
if(data18 < -2 || isNaN(data18)){
const err36 = {instancePath:instancePath+"/params/presence_penalty",schemaPath:"#/$defs/ModelParams/properties/presence_penalty/minimum",keyword:"minimum",params:{comparison: ">=", limit: -2},message:"must be >= -2"};
if(vErrors === null){
vErrors = [err36];
}
else {
vErrors.push(err36);
}
errors++;
}
}
else {
const err37 = {instancePath:instancePath+"/params/presence_penalty",schemaPath:"#/$defs/ModelParams/properties/presence_penalty/type",keyword:"type",params:{type: "number"},message:"must be number"};
if(vErrors === null){
vErrors = [err37];
}
else {
vErrors.push(err37);
}
errors++;
}
}
if(data14.stop !== undefined && func0.call(data14, "stop")){
let data19 = data14.stop;
if(Array.isArray(data19)){
if(data19.length > 4){
const err38 = {instancePath:instancePath+"/params/stop",schemaPath:"#/$defs/ModelParams/properties/stop/maxItems",keyword:"maxItems",params:{limit: 4},message:"must NOT have more than 4 items"};
if(vErrors === null){
vErrors = [err38];
}
else {
vErrors.push(err38);
}
errors++;
}
const len1 = data19.length;
for(let i1=0; i1<len1; i1++){
if(typeof data19[i1] !== "string"){
const err39 = {instancePath:instancePath+"/params/stop/" + i1,schemaPath:"#/$defs/ModelParams/properties/stop/items/type",keyword:"type",params:{type: "string"},message:"must be string"};
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
else {
const err40 = {instancePath:instancePath+"/params/stop",schemaPath:"#/$defs/ModelParams/properties/stop/type",keyword:"type",params:{type: "array"},message:"must be array"};
if(vErrors === null){
vErrors = [err40];
}
else {
vErrors.push(err40);
}
errors++;
}
}
if(data14.seed !== undefined && func0.call(data14, "seed")){
let data21 = data14.seed;
if(!(((typeof data21 == "number") && (!(data21 % 1) && !isNaN(data21))) && (isFinite(data21)))){
const err41 = {instancePath:instancePath+"/params/seed",schemaPath:"#/$defs/ModelParams/properties/seed/type",keyword:"type",params:{type: "integer"},message:"must be integer"};
if(vErrors === null){
vErrors = [err41];
}
else {
vErrors.push(err41);
}
errors++;
}
}
if(data14.extended !== undefined && func0.call(data14, "extended")){
let data22 = data14.extended;
if(!(data22 && typeof data22 == "object" && !Array.isArray(data22))){
const err42 = {instancePath:instancePath+"/params/extended",schemaPath:"#/$defs/ModelParams/properties/extended/type",keyword:"type",params:{type: "object"},message:"must be object"};
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
const err43 = {instancePath:instancePath+"/params",schemaPath:"#/$defs/ModelParams/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err43];
}
else {
vErrors.push(err43);
}
errors++;
}
}
if(data.response_format !== undefined && func0.call(data, "response_format")){
let data23 = data.response_format;
if(typeof data23 !== "string"){
const err44 = {instancePath:instancePath+"/response_format",schemaPath:"#/properties/response_format/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err44];
}
else {
vErrors.push(err44);
}
errors++;
}
if(!((((data23 === "text") || (data23 === "json")) || (data23 === "json_schema")) || (data23 === "markdown"))){
const err45 = {instancePath:instancePath+"/response_format",schemaPath:"#/properties/response_format/enum",keyword:"enum",params:{allowedValues: schema33.properties.response_format.enum},message:"must be equal to one of the allowed values"};
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
const err46 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err46];
}
else {
vErrors.push(err46);
}
errors++;
}
validate22.errors = vErrors;
return errors === 0;
}
validate22.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

const schema36 = {"type":"object","properties":{"role":{"type":"string","enum":["orchestrator","worker","evaluator","router","synthesizer"]},"subagents":{"type":"array","items":{"$ref":"#/$defs/Subagent"}},"handoff":{"type":"array","items":{"$ref":"#/$defs/HandoffRule"}},"pipeline":{"type":"array","items":{"type":"string"}},"parallel_execution":{"type":"boolean"},"max_iterations":{"type":"integer","minimum":1},"consensus":{"$ref":"#/$defs/Consensus"}},"additionalProperties":false};
const schema41 = {"type":"object","properties":{"strategy":{"type":"string","enum":["majority_vote","best_of_n","referee","first_success"]},"min_votes":{"type":"integer","minimum":1},"referee_agent":{"type":"string"}},"additionalProperties":false};
const schema37 = {"type":"object","required":["ref"],"properties":{"ref":{"type":"string"},"alias":{"type":"string"},"role":{"type":"string","enum":["worker","evaluator","specialist","fallback"]},"when":{"$ref":"#/$defs/Condition"},"pass_memory_keys":{"type":"array","items":{"type":"string"}}},"additionalProperties":false};
const schema38 = {"type":["string","object"],"required":["lang"],"properties":{"lang":{"type":"string","enum":["jsonpath","jmespath","cel","jsonlogic","always","never"]},"expr":{"type":["string","object","boolean"]},"nl":{"type":"string"}},"additionalProperties":false,"if":{"properties":{"lang":{"enum":["jsonpath","jmespath","cel","jsonlogic"]}}},"then":{"required":["expr"]}};

function validate25(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate25.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(data && typeof data == "object" && !Array.isArray(data)){
if((data.ref === undefined) || (!(func0.call(data, "ref")))){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "ref"},message:"must have required property '"+"ref"+"'"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
for(const key0 of Object.keys(data)){
if(!(((((key0 === "ref") || (key0 === "alias")) || (key0 === "role")) || (key0 === "when")) || (key0 === "pass_memory_keys"))){
const err1 = {instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
}
if(data.ref !== undefined && func0.call(data, "ref")){
if(typeof data.ref !== "string"){
const err2 = {instancePath:instancePath+"/ref",schemaPath:"#/properties/ref/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
}
if(data.alias !== undefined && func0.call(data, "alias")){
if(typeof data.alias !== "string"){
const err3 = {instancePath:instancePath+"/alias",schemaPath:"#/properties/alias/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
}
if(data.role !== undefined && func0.call(data, "role")){
let data2 = data.role;
if(typeof data2 !== "string"){
const err4 = {instancePath:instancePath+"/role",schemaPath:"#/properties/role/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
if(!((((data2 === "worker") || (data2 === "evaluator")) || (data2 === "specialist")) || (data2 === "fallback"))){
const err5 = {instancePath:instancePath+"/role",schemaPath:"#/properties/role/enum",keyword:"enum",params:{allowedValues: schema37.properties.role.enum},message:"must be equal to one of the allowed values"};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
}
if(data.when !== undefined && func0.call(data, "when")){
let data3 = data.when;
if((typeof data3 !== "string") && (!(data3 && typeof data3 == "object" && !Array.isArray(data3)))){
const err6 = {instancePath:instancePath+"/when",schemaPath:"#/$defs/Condition/type",keyword:"type",params:{type: schema38.type},message:"must be string,object"};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
const _errs11 = errors;
let valid2 = true;
const _errs12 = errors;
if(data3 && typeof data3 == "object" && !Array.isArray(data3)){
if(data3.lang !== undefined && func0.call(data3, "lang")){
let data4 = data3.lang;
if(!((((data4 === "jsonpath") || (data4 === "jmespath")) || (data4 === "cel")) || (data4 === "jsonlogic"))){
const err7 = {};
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
var _valid0 = _errs12 === errors;
errors = _errs11;
if(vErrors !== null){
if(_errs11){
vErrors.length = _errs11;
}
else {
vErrors = null;
}
}
if(_valid0){
const _errs14 = errors;
if(data3 && typeof data3 == "object" && !Array.isArray(data3)){
if((data3.expr === undefined) || (!(func0.call(data3, "expr")))){
const err8 = {instancePath:instancePath+"/when",schemaPath:"#/$defs/Condition/then/required",keyword:"required",params:{missingProperty: "expr"},message:"must have required property '"+"expr"+"'"};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
}
var _valid0 = _errs14 === errors;
valid2 = _valid0;
}
if(!valid2){
const err9 = {instancePath:instancePath+"/when",schemaPath:"#/$defs/Condition/if",keyword:"if",params:{failingKeyword: "then"},message:"must match \"then\" schema"};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
if(data3 && typeof data3 == "object" && !Array.isArray(data3)){
if((data3.lang === undefined) || (!(func0.call(data3, "lang")))){
const err10 = {instancePath:instancePath+"/when",schemaPath:"#/$defs/Condition/required",keyword:"required",params:{missingProperty: "lang"},message:"must have required property '"+"lang"+"'"};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
}
for(const key1 of Object.keys(data3)){
if(!(((key1 === "lang") || (key1 === "expr")) || (key1 === "nl"))){
const err11 = {instancePath:instancePath+"/when",schemaPath:"#/$defs/Condition/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key1},message:"must NOT have additional properties"};
if(vErrors === null){
vErrors = [err11];
}
else {
vErrors.push(err11);
}
errors++;
}
}
if(data3.lang !== undefined && func0.call(data3, "lang")){
let data5 = data3.lang;
if(typeof data5 !== "string"){
const err12 = {instancePath:instancePath+"/when/lang",schemaPath:"#/$defs/Condition/properties/lang/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err12];
}
else {
vErrors.push(err12);
}
errors++;
}
if(!((((((data5 === "jsonpath") || (data5 === "jmespath")) || (data5 === "cel")) || (data5 === "jsonlogic")) || (data5 === "always")) || (data5 === "never"))){
const err13 = {instancePath:instancePath+"/when/lang",schemaPath:"#/$defs/Condition/properties/lang/enum",keyword:"enum",params:{allowedValues: schema38.properties.lang.enum},message:"must be equal to one of the allowed values"};
if(vErrors === null){
vErrors = [err13];
}
else {
vErrors.push(err13);
}
errors++;
}
}
if(data3.expr !== undefined && func0.call(data3, "expr")){
let data6 = data3.expr;
if(((typeof data6 !== "string") && (!(data6 && typeof data6 == "object" && !Array.isArray(data6)))) && (typeof data6 !== "boolean")){
const err14 = {instancePath:instancePath+"/when/expr",schemaPath:"#/$defs/Condition/properties/expr/type",keyword:"type",params:{type: schema38.properties.expr.type},message:"must be string,object,boolean"};
if(vErrors === null){
vErrors = [err14];
}
else {
vErrors.push(err14);
}
errors++;
}
}
if(data3.nl !== undefined && func0.call(data3, "nl")){
if(typeof data3.nl !== "string"){
const err15 = {instancePath:instancePath+"/when/nl",schemaPath:"#/$defs/Condition/properties/nl/type",keyword:"type",params:{type: "string"},message:"must be string"};
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
}
if(data.pass_memory_keys !== undefined && func0.call(data, "pass_memory_keys")){
let data8 = data.pass_memory_keys;
if(Array.isArray(data8)){
const len0 = data8.length;
for(let i0=0; i0<len0; i0++){
if(typeof data8[i0] !== "string"){
const err16 = {instancePath:instancePath+"/pass_memory_keys/" + i0,schemaPath:"#/properties/pass_memory_keys/items/type",keyword:"type",params:{type: "string"},message:"must be string"};
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
const err17 = {instancePath:instancePath+"/pass_memory_keys",schemaPath:"#/properties/pass_memory_keys/type",keyword:"type",params:{type: "array"},message:"must be array"};
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
validate25.errors = vErrors;
return errors === 0;
}
validate25.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

const schema39 = {"type":"object","required":["condition","target_agent"],"properties":{"condition":{"$ref":"#/$defs/Condition"},"target_agent":{"type":"string"},"pass_context":{"type":"boolean"},"pass_memory":{"type":"boolean"}},"additionalProperties":false};

function validate27(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate27.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(data && typeof data == "object" && !Array.isArray(data)){
if((data.condition === undefined) || (!(func0.call(data, "condition")))){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "condition"},message:"must have required property '"+"condition"+"'"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if((data.target_agent === undefined) || (!(func0.call(data, "target_agent")))){
const err1 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "target_agent"},message:"must have required property '"+"target_agent"+"'"};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
for(const key0 of Object.keys(data)){
if(!((((key0 === "condition") || (key0 === "target_agent")) || (key0 === "pass_context")) || (key0 === "pass_memory"))){
const err2 = {instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
}
if(data.condition !== undefined && func0.call(data, "condition")){
let data0 = data.condition;
if((typeof data0 !== "string") && (!(data0 && typeof data0 == "object" && !Array.isArray(data0)))){
const err3 = {instancePath:instancePath+"/condition",schemaPath:"#/$defs/Condition/type",keyword:"type",params:{type: schema38.type},message:"must be string,object"};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
const _errs5 = errors;
let valid2 = true;
const _errs6 = errors;
if(data0 && typeof data0 == "object" && !Array.isArray(data0)){
if(data0.lang !== undefined && func0.call(data0, "lang")){
let data1 = data0.lang;
if(!((((data1 === "jsonpath") || (data1 === "jmespath")) || (data1 === "cel")) || (data1 === "jsonlogic"))){
const err4 = {};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
}
}
var _valid0 = _errs6 === errors;
errors = _errs5;
if(vErrors !== null){
if(_errs5){
vErrors.length = _errs5;
}
else {
vErrors = null;
}
}
if(_valid0){
const _errs8 = errors;
if(data0 && typeof data0 == "object" && !Array.isArray(data0)){
if((data0.expr === undefined) || (!(func0.call(data0, "expr")))){
const err5 = {instancePath:instancePath+"/condition",schemaPath:"#/$defs/Condition/then/required",keyword:"required",params:{missingProperty: "expr"},message:"must have required property '"+"expr"+"'"};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
}
var _valid0 = _errs8 === errors;
valid2 = _valid0;
}
if(!valid2){
const err6 = {instancePath:instancePath+"/condition",schemaPath:"#/$defs/Condition/if",keyword:"if",params:{failingKeyword: "then"},message:"must match \"then\" schema"};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
if(data0 && typeof data0 == "object" && !Array.isArray(data0)){
if((data0.lang === undefined) || (!(func0.call(data0, "lang")))){
const err7 = {instancePath:instancePath+"/condition",schemaPath:"#/$defs/Condition/required",keyword:"required",params:{missingProperty: "lang"},message:"must have required property '"+"lang"+"'"};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
for(const key1 of Object.keys(data0)){
if(!(((key1 === "lang") || (key1 === "expr")) || (key1 === "nl"))){
const err8 = {instancePath:instancePath+"/condition",schemaPath:"#/$defs/Condition/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key1},message:"must NOT have additional properties"};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
}
if(data0.lang !== undefined && func0.call(data0, "lang")){
let data2 = data0.lang;
if(typeof data2 !== "string"){
const err9 = {instancePath:instancePath+"/condition/lang",schemaPath:"#/$defs/Condition/properties/lang/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
if(!((((((data2 === "jsonpath") || (data2 === "jmespath")) || (data2 === "cel")) || (data2 === "jsonlogic")) || (data2 === "always")) || (data2 === "never"))){
const err10 = {instancePath:instancePath+"/condition/lang",schemaPath:"#/$defs/Condition/properties/lang/enum",keyword:"enum",params:{allowedValues: schema38.properties.lang.enum},message:"must be equal to one of the allowed values"};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
}
}
if(data0.expr !== undefined && func0.call(data0, "expr")){
let data3 = data0.expr;
if(((typeof data3 !== "string") && (!(data3 && typeof data3 == "object" && !Array.isArray(data3)))) && (typeof data3 !== "boolean")){
const err11 = {instancePath:instancePath+"/condition/expr",schemaPath:"#/$defs/Condition/properties/expr/type",keyword:"type",params:{type: schema38.properties.expr.type},message:"must be string,object,boolean"};
if(vErrors === null){
vErrors = [err11];
}
else {
vErrors.push(err11);
}
errors++;
}
}
if(data0.nl !== undefined && func0.call(data0, "nl")){
if(typeof data0.nl !== "string"){
const err12 = {instancePath:instancePath+"/condition/nl",schemaPath:"#/$defs/Condition/properties/nl/type",keyword:"type",params:{type: "string"},message:"must be string"};
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
}
if(data.target_agent !== undefined && func0.call(data, "target_agent")){
if(typeof data.target_agent !== "string"){
const err13 = {instancePath:instancePath+"/target_agent",schemaPath:"#/properties/target_agent/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err13];
}
else {
vErrors.push(err13);
}
errors++;
}
}
if(data.pass_context !== undefined && func0.call(data, "pass_context")){
if(typeof data.pass_context !== "boolean"){
const err14 = {instancePath:instancePath+"/pass_context",schemaPath:"#/properties/pass_context/type",keyword:"type",params:{type: "boolean"},message:"must be boolean"};
if(vErrors === null){
vErrors = [err14];
}
else {
vErrors.push(err14);
}
errors++;
}
}
if(data.pass_memory !== undefined && func0.call(data, "pass_memory")){
if(typeof data.pass_memory !== "boolean"){
const err15 = {instancePath:instancePath+"/pass_memory",schemaPath:"#/properties/pass_memory/type",keyword:"type",params:{type: "boolean"},message:"must be boolean"};
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
const err16 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err16];
}
else {
vErrors.push(err16);
}
errors++;
}
validate27.errors = vErrors;
return errors === 0;
}
validate27.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};


function validate24(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate24.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(data && typeof data == "object" && !Array.isArray(data)){
for(const key0 of Object.keys(data)){
if(!(((((((key0 === "role") || (key0 === "subagents")) || (key0 === "handoff")) || (key0 === "pipeline")) || (key0 === "parallel_execution")) || (key0 === "max_iterations")) || (key0 === "consensus"))){
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
if(data.role !== undefined && func0.call(data, "role")){
let data0 = data.role;
if(typeof data0 !== "string"){
const err1 = {instancePath:instancePath+"/role",schemaPath:"#/properties/role/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
if(!(((((data0 === "orchestrator") || (data0 === "worker")) || (data0 === "evaluator")) || (data0 === "router")) || (data0 === "synthesizer"))){
const err2 = {instancePath:instancePath+"/role",schemaPath:"#/properties/role/enum",keyword:"enum",params:{allowedValues: schema36.properties.role.enum},message:"must be equal to one of the allowed values"};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
}
if(data.subagents !== undefined && func0.call(data, "subagents")){
let data1 = data.subagents;
if(Array.isArray(data1)){
const len0 = data1.length;
for(let i0=0; i0<len0; i0++){
if(!(validate25(data1[i0], {instancePath:instancePath+"/subagents/" + i0,parentData:data1,parentDataProperty:i0,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate25.errors : vErrors.concat(validate25.errors);
errors = vErrors.length;
}
}
}
else {
const err3 = {instancePath:instancePath+"/subagents",schemaPath:"#/properties/subagents/type",keyword:"type",params:{type: "array"},message:"must be array"};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
}
if(data.handoff !== undefined && func0.call(data, "handoff")){
let data3 = data.handoff;
if(Array.isArray(data3)){
const len1 = data3.length;
for(let i1=0; i1<len1; i1++){
if(!(validate27(data3[i1], {instancePath:instancePath+"/handoff/" + i1,parentData:data3,parentDataProperty:i1,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate27.errors : vErrors.concat(validate27.errors);
errors = vErrors.length;
}
}
}
else {
const err4 = {instancePath:instancePath+"/handoff",schemaPath:"#/properties/handoff/type",keyword:"type",params:{type: "array"},message:"must be array"};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
}
if(data.pipeline !== undefined && func0.call(data, "pipeline")){
let data5 = data.pipeline;
if(Array.isArray(data5)){
const len2 = data5.length;
for(let i2=0; i2<len2; i2++){
if(typeof data5[i2] !== "string"){
const err5 = {instancePath:instancePath+"/pipeline/" + i2,schemaPath:"#/properties/pipeline/items/type",keyword:"type",params:{type: "string"},message:"must be string"};
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
else {
const err6 = {instancePath:instancePath+"/pipeline",schemaPath:"#/properties/pipeline/type",keyword:"type",params:{type: "array"},message:"must be array"};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
}
if(data.parallel_execution !== undefined && func0.call(data, "parallel_execution")){
if(typeof data.parallel_execution !== "boolean"){
const err7 = {instancePath:instancePath+"/parallel_execution",schemaPath:"#/properties/parallel_execution/type",keyword:"type",params:{type: "boolean"},message:"must be boolean"};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
}
if(data.max_iterations !== undefined && func0.call(data, "max_iterations")){
let data8 = data.max_iterations;
if(!(((typeof data8 == "number") && (!(data8 % 1) && !isNaN(data8))) && (isFinite(data8)))){
const err8 = {instancePath:instancePath+"/max_iterations",schemaPath:"#/properties/max_iterations/type",keyword:"type",params:{type: "integer"},message:"must be integer"};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
if((typeof data8 == "number") && (isFinite(data8))){
if(data8 < 1 || isNaN(data8)){
const err9 = {instancePath:instancePath+"/max_iterations",schemaPath:"#/properties/max_iterations/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1},message:"must be >= 1"};
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
if(data.consensus !== undefined && func0.call(data, "consensus")){
let data9 = data.consensus;
if(data9 && typeof data9 == "object" && !Array.isArray(data9)){
for(const key1 of Object.keys(data9)){
if(!(((key1 === "strategy") || (key1 === "min_votes")) || (key1 === "referee_agent"))){
const err10 = {instancePath:instancePath+"/consensus",schemaPath:"#/$defs/Consensus/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key1},message:"must NOT have additional properties"};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
}
}
if(data9.strategy !== undefined && func0.call(data9, "strategy")){
let data10 = data9.strategy;
if(typeof data10 !== "string"){
const err11 = {instancePath:instancePath+"/consensus/strategy",schemaPath:"#/$defs/Consensus/properties/strategy/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err11];
}
else {
vErrors.push(err11);
}
errors++;
}
if(!((((data10 === "majority_vote") || (data10 === "best_of_n")) || (data10 === "referee")) || (data10 === "first_success"))){
const err12 = {instancePath:instancePath+"/consensus/strategy",schemaPath:"#/$defs/Consensus/properties/strategy/enum",keyword:"enum",params:{allowedValues: schema41.properties.strategy.enum},message:"must be equal to one of the allowed values"};
if(vErrors === null){
vErrors = [err12];
}
else {
vErrors.push(err12);
}
errors++;
}
}
if(data9.min_votes !== undefined && func0.call(data9, "min_votes")){
let data11 = data9.min_votes;
if(!(((typeof data11 == "number") && (!(data11 % 1) && !isNaN(data11))) && (isFinite(data11)))){
const err13 = {instancePath:instancePath+"/consensus/min_votes",schemaPath:"#/$defs/Consensus/properties/min_votes/type",keyword:"type",params:{type: "integer"},message:"must be integer"};
if(vErrors === null){
vErrors = [err13];
}
else {
vErrors.push(err13);
}
errors++;
}
if((typeof data11 == "number") && (isFinite(data11))){
if(data11 < 1 || isNaN(data11)){
const err14 = {instancePath:instancePath+"/consensus/min_votes",schemaPath:"#/$defs/Consensus/properties/min_votes/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1},message:"must be >= 1"};
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
if(data9.referee_agent !== undefined && func0.call(data9, "referee_agent")){
if(typeof data9.referee_agent !== "string"){
const err15 = {instancePath:instancePath+"/consensus/referee_agent",schemaPath:"#/$defs/Consensus/properties/referee_agent/type",keyword:"type",params:{type: "string"},message:"must be string"};
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
const err16 = {instancePath:instancePath+"/consensus",schemaPath:"#/$defs/Consensus/type",keyword:"type",params:{type: "object"},message:"must be object"};
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
const err17 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err17];
}
else {
vErrors.push(err17);
}
errors++;
}
validate24.errors = vErrors;
return errors === 0;
}
validate24.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

const schema43 = {"type":"object","required":["name","description"],"properties":{"name":{"type":"string","pattern":"^[a-zA-Z_][a-zA-Z0-9_-]{0,63}$"},"description":{"type":"string"},"protocol":{"type":"string","enum":["function","mcp","http","openapi"]},"parameters_schema":{"type":"object"},"output_schema":{"type":"object"},"endpoint":{"type":"string"},"auth":{"$ref":"#/$defs/ToolAuth"},"cache_ttl_seconds":{"type":"integer","minimum":0},"timeout_seconds":{"type":"integer","minimum":1},"rate_limit":{"$ref":"#/$defs/RateLimit"}},"additionalProperties":false};
const schema46 = {"type":"object","properties":{"requests_per_minute":{"type":"integer","minimum":1},"tokens_per_minute":{"type":"integer","minimum":1}},"additionalProperties":false};
const pattern7 = new RegExp("^[a-zA-Z_][a-zA-Z0-9_-]{0,63}$", "u");
const schema44 = {"type":"object","properties":{"type":{"type":"string","enum":["none","bearer","api_key","oauth2","aws_sigv4","basic","mtls"]},"env_var":{"type":"string"},"vault_ref":{"$ref":"#/$defs/VaultRef"},"header":{"type":"string"},"scopes":{"type":"array","items":{"type":"string"}},"token_url":{"type":"string"}},"additionalProperties":false};
const schema45 = {"type":"object","required":["provider","path"],"properties":{"provider":{"type":"string","enum":["aws_secretsmanager","hashicorp_vault","azure_keyvault","gcp_secretmanager","1password","custom"]},"path":{"type":"string"},"key":{"type":"string"},"version":{"type":"string"}},"additionalProperties":false};

function validate31(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate31.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(data && typeof data == "object" && !Array.isArray(data)){
for(const key0 of Object.keys(data)){
if(!((((((key0 === "type") || (key0 === "env_var")) || (key0 === "vault_ref")) || (key0 === "header")) || (key0 === "scopes")) || (key0 === "token_url"))){
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
if(data.type !== undefined && func0.call(data, "type")){
let data0 = data.type;
if(typeof data0 !== "string"){
const err1 = {instancePath:instancePath+"/type",schemaPath:"#/properties/type/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
if(!(((((((data0 === "none") || (data0 === "bearer")) || (data0 === "api_key")) || (data0 === "oauth2")) || (data0 === "aws_sigv4")) || (data0 === "basic")) || (data0 === "mtls"))){
const err2 = {instancePath:instancePath+"/type",schemaPath:"#/properties/type/enum",keyword:"enum",params:{allowedValues: schema44.properties.type.enum},message:"must be equal to one of the allowed values"};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
}
if(data.env_var !== undefined && func0.call(data, "env_var")){
if(typeof data.env_var !== "string"){
const err3 = {instancePath:instancePath+"/env_var",schemaPath:"#/properties/env_var/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
}
if(data.vault_ref !== undefined && func0.call(data, "vault_ref")){
let data2 = data.vault_ref;
if(data2 && typeof data2 == "object" && !Array.isArray(data2)){
if((data2.provider === undefined) || (!(func0.call(data2, "provider")))){
const err4 = {instancePath:instancePath+"/vault_ref",schemaPath:"#/$defs/VaultRef/required",keyword:"required",params:{missingProperty: "provider"},message:"must have required property '"+"provider"+"'"};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
if((data2.path === undefined) || (!(func0.call(data2, "path")))){
const err5 = {instancePath:instancePath+"/vault_ref",schemaPath:"#/$defs/VaultRef/required",keyword:"required",params:{missingProperty: "path"},message:"must have required property '"+"path"+"'"};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
for(const key1 of Object.keys(data2)){
if(!((((key1 === "provider") || (key1 === "path")) || (key1 === "key")) || (key1 === "version"))){
const err6 = {instancePath:instancePath+"/vault_ref",schemaPath:"#/$defs/VaultRef/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key1},message:"must NOT have additional properties"};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
}
if(data2.provider !== undefined && func0.call(data2, "provider")){
let data3 = data2.provider;
if(typeof data3 !== "string"){
const err7 = {instancePath:instancePath+"/vault_ref/provider",schemaPath:"#/$defs/VaultRef/properties/provider/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
if(!((((((data3 === "aws_secretsmanager") || (data3 === "hashicorp_vault")) || (data3 === "azure_keyvault")) || (data3 === "gcp_secretmanager")) || (data3 === "1password")) || (data3 === "custom"))){
const err8 = {instancePath:instancePath+"/vault_ref/provider",schemaPath:"#/$defs/VaultRef/properties/provider/enum",keyword:"enum",params:{allowedValues: schema45.properties.provider.enum},message:"must be equal to one of the allowed values"};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
}
if(data2.path !== undefined && func0.call(data2, "path")){
if(typeof data2.path !== "string"){
const err9 = {instancePath:instancePath+"/vault_ref/path",schemaPath:"#/$defs/VaultRef/properties/path/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
}
if(data2.key !== undefined && func0.call(data2, "key")){
if(typeof data2.key !== "string"){
const err10 = {instancePath:instancePath+"/vault_ref/key",schemaPath:"#/$defs/VaultRef/properties/key/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
}
}
if(data2.version !== undefined && func0.call(data2, "version")){
if(typeof data2.version !== "string"){
const err11 = {instancePath:instancePath+"/vault_ref/version",schemaPath:"#/$defs/VaultRef/properties/version/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err11];
}
else {
vErrors.push(err11);
}
errors++;
}
}
}
else {
const err12 = {instancePath:instancePath+"/vault_ref",schemaPath:"#/$defs/VaultRef/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err12];
}
else {
vErrors.push(err12);
}
errors++;
}
}
if(data.header !== undefined && func0.call(data, "header")){
if(typeof data.header !== "string"){
const err13 = {instancePath:instancePath+"/header",schemaPath:"#/properties/header/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err13];
}
else {
vErrors.push(err13);
}
errors++;
}
}
if(data.scopes !== undefined && func0.call(data, "scopes")){
let data8 = data.scopes;
if(Array.isArray(data8)){
const len0 = data8.length;
for(let i0=0; i0<len0; i0++){
if(typeof data8[i0] !== "string"){
const err14 = {instancePath:instancePath+"/scopes/" + i0,schemaPath:"#/properties/scopes/items/type",keyword:"type",params:{type: "string"},message:"must be string"};
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
else {
const err15 = {instancePath:instancePath+"/scopes",schemaPath:"#/properties/scopes/type",keyword:"type",params:{type: "array"},message:"must be array"};
if(vErrors === null){
vErrors = [err15];
}
else {
vErrors.push(err15);
}
errors++;
}
}
if(data.token_url !== undefined && func0.call(data, "token_url")){
if(typeof data.token_url !== "string"){
const err16 = {instancePath:instancePath+"/token_url",schemaPath:"#/properties/token_url/type",keyword:"type",params:{type: "string"},message:"must be string"};
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
const err17 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err17];
}
else {
vErrors.push(err17);
}
errors++;
}
validate31.errors = vErrors;
return errors === 0;
}
validate31.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};


function validate30(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate30.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(data && typeof data == "object" && !Array.isArray(data)){
if((data.name === undefined) || (!(func0.call(data, "name")))){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "name"},message:"must have required property '"+"name"+"'"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if((data.description === undefined) || (!(func0.call(data, "description")))){
const err1 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "description"},message:"must have required property '"+"description"+"'"};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
for(const key0 of Object.keys(data)){
if(!(func0.call(schema43.properties, key0))){
const err2 = {instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
}
if(data.name !== undefined && func0.call(data, "name")){
let data0 = data.name;
if(typeof data0 === "string"){
if(!pattern7.test(data0)){
const err3 = {instancePath:instancePath+"/name",schemaPath:"#/properties/name/pattern",keyword:"pattern",params:{pattern: "^[a-zA-Z_][a-zA-Z0-9_-]{0,63}$"},message:"must match pattern \""+"^[a-zA-Z_][a-zA-Z0-9_-]{0,63}$"+"\""};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
}
else {
const err4 = {instancePath:instancePath+"/name",schemaPath:"#/properties/name/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
}
if(data.description !== undefined && func0.call(data, "description")){
if(typeof data.description !== "string"){
const err5 = {instancePath:instancePath+"/description",schemaPath:"#/properties/description/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
}
if(data.protocol !== undefined && func0.call(data, "protocol")){
let data2 = data.protocol;
if(typeof data2 !== "string"){
const err6 = {instancePath:instancePath+"/protocol",schemaPath:"#/properties/protocol/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
if(!((((data2 === "function") || (data2 === "mcp")) || (data2 === "http")) || (data2 === "openapi"))){
const err7 = {instancePath:instancePath+"/protocol",schemaPath:"#/properties/protocol/enum",keyword:"enum",params:{allowedValues: schema43.properties.protocol.enum},message:"must be equal to one of the allowed values"};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
}
if(data.parameters_schema !== undefined && func0.call(data, "parameters_schema")){
let data3 = data.parameters_schema;
if(!(data3 && typeof data3 == "object" && !Array.isArray(data3))){
const err8 = {instancePath:instancePath+"/parameters_schema",schemaPath:"#/properties/parameters_schema/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
}
if(data.output_schema !== undefined && func0.call(data, "output_schema")){
let data4 = data.output_schema;
if(!(data4 && typeof data4 == "object" && !Array.isArray(data4))){
const err9 = {instancePath:instancePath+"/output_schema",schemaPath:"#/properties/output_schema/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
}
if(data.endpoint !== undefined && func0.call(data, "endpoint")){
if(typeof data.endpoint !== "string"){
const err10 = {instancePath:instancePath+"/endpoint",schemaPath:"#/properties/endpoint/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
}
}
if(data.auth !== undefined && func0.call(data, "auth")){
if(!(validate31(data.auth, {instancePath:instancePath+"/auth",parentData:data,parentDataProperty:"auth",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate31.errors : vErrors.concat(validate31.errors);
errors = vErrors.length;
}
}
if(data.cache_ttl_seconds !== undefined && func0.call(data, "cache_ttl_seconds")){
let data7 = data.cache_ttl_seconds;
if(!(((typeof data7 == "number") && (!(data7 % 1) && !isNaN(data7))) && (isFinite(data7)))){
const err11 = {instancePath:instancePath+"/cache_ttl_seconds",schemaPath:"#/properties/cache_ttl_seconds/type",keyword:"type",params:{type: "integer"},message:"must be integer"};
if(vErrors === null){
vErrors = [err11];
}
else {
vErrors.push(err11);
}
errors++;
}
if((typeof data7 == "number") && (isFinite(data7))){
if(data7 < 0 || isNaN(data7)){
const err12 = {instancePath:instancePath+"/cache_ttl_seconds",schemaPath:"#/properties/cache_ttl_seconds/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"};
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
if(data.timeout_seconds !== undefined && func0.call(data, "timeout_seconds")){
let data8 = data.timeout_seconds;
if(!(((typeof data8 == "number") && (!(data8 % 1) && !isNaN(data8))) && (isFinite(data8)))){
const err13 = {instancePath:instancePath+"/timeout_seconds",schemaPath:"#/properties/timeout_seconds/type",keyword:"type",params:{type: "integer"},message:"must be integer"};
if(vErrors === null){
vErrors = [err13];
}
else {
vErrors.push(err13);
}
errors++;
}
if((typeof data8 == "number") && (isFinite(data8))){
if(data8 < 1 || isNaN(data8)){
const err14 = {instancePath:instancePath+"/timeout_seconds",schemaPath:"#/properties/timeout_seconds/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1},message:"must be >= 1"};
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
if(data.rate_limit !== undefined && func0.call(data, "rate_limit")){
let data9 = data.rate_limit;
if(data9 && typeof data9 == "object" && !Array.isArray(data9)){
for(const key1 of Object.keys(data9)){
if(!((key1 === "requests_per_minute") || (key1 === "tokens_per_minute"))){
const err15 = {instancePath:instancePath+"/rate_limit",schemaPath:"#/$defs/RateLimit/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key1},message:"must NOT have additional properties"};
if(vErrors === null){
vErrors = [err15];
}
else {
vErrors.push(err15);
}
errors++;
}
}
if(data9.requests_per_minute !== undefined && func0.call(data9, "requests_per_minute")){
let data10 = data9.requests_per_minute;
if(!(((typeof data10 == "number") && (!(data10 % 1) && !isNaN(data10))) && (isFinite(data10)))){
const err16 = {instancePath:instancePath+"/rate_limit/requests_per_minute",schemaPath:"#/$defs/RateLimit/properties/requests_per_minute/type",keyword:"type",params:{type: "integer"},message:"must be integer"};
if(vErrors === null){
vErrors = [err16];
}
else {
vErrors.push(err16);
}
errors++;
}
if((typeof data10 == "number") && (isFinite(data10))){
if(data10 < 1 || isNaN(data10)){
const err17 = {instancePath:instancePath+"/rate_limit/requests_per_minute",schemaPath:"#/$defs/RateLimit/properties/requests_per_minute/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1},message:"must be >= 1"};
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
if(data9.tokens_per_minute !== undefined && func0.call(data9, "tokens_per_minute")){
let data11 = data9.tokens_per_minute;
if(!(((typeof data11 == "number") && (!(data11 % 1) && !isNaN(data11))) && (isFinite(data11)))){
const err18 = {instancePath:instancePath+"/rate_limit/tokens_per_minute",schemaPath:"#/$defs/RateLimit/properties/tokens_per_minute/type",keyword:"type",params:{type: "integer"},message:"must be integer"};
if(vErrors === null){
vErrors = [err18];
}
else {
vErrors.push(err18);
}
errors++;
}
if((typeof data11 == "number") && (isFinite(data11))){
if(data11 < 1 || isNaN(data11)){
const err19 = {instancePath:instancePath+"/rate_limit/tokens_per_minute",schemaPath:"#/$defs/RateLimit/properties/tokens_per_minute/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1},message:"must be >= 1"};
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
}
else {
const err20 = {instancePath:instancePath+"/rate_limit",schemaPath:"#/$defs/RateLimit/type",keyword:"type",params:{type: "object"},message:"must be object"};
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
const err21 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err21];
}
else {
vErrors.push(err21);
}
errors++;
}
validate30.errors = vErrors;
return errors === 0;
}
validate30.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

const schema49 = {"type":"object","properties":{"triggers":{"type":"array","items":{"$ref":"#/$defs/Trigger"}},"on_start":{"type":"string"},"on_complete":{"type":"string"},"on_error":{"type":"string"},"on_tool_call":{"type":"string"}},"additionalProperties":false};
const schema50 = {"type":"object","required":["type"],"properties":{"type":{"type":"string","enum":["manual","schedule","webhook","message","event","agent_handoff","file_change"]},"schedule":{"type":"string"},"event_name":{"type":"string"},"webhook_path":{"type":"string"},"filter":{"$ref":"#/$defs/Condition"}},"additionalProperties":false};

function validate35(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate35.evaluated;
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
for(const key0 of Object.keys(data)){
if(!(((((key0 === "type") || (key0 === "schedule")) || (key0 === "event_name")) || (key0 === "webhook_path")) || (key0 === "filter"))){
const err1 = {instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
}
if(data.type !== undefined && func0.call(data, "type")){
let data0 = data.type;
if(typeof data0 !== "string"){
const err2 = {instancePath:instancePath+"/type",schemaPath:"#/properties/type/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
if(!(((((((data0 === "manual") || (data0 === "schedule")) || (data0 === "webhook")) || (data0 === "message")) || (data0 === "event")) || (data0 === "agent_handoff")) || (data0 === "file_change"))){
const err3 = {instancePath:instancePath+"/type",schemaPath:"#/properties/type/enum",keyword:"enum",params:{allowedValues: schema50.properties.type.enum},message:"must be equal to one of the allowed values"};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
}
if(data.schedule !== undefined && func0.call(data, "schedule")){
if(typeof data.schedule !== "string"){
const err4 = {instancePath:instancePath+"/schedule",schemaPath:"#/properties/schedule/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
}
if(data.event_name !== undefined && func0.call(data, "event_name")){
if(typeof data.event_name !== "string"){
const err5 = {instancePath:instancePath+"/event_name",schemaPath:"#/properties/event_name/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
}
if(data.webhook_path !== undefined && func0.call(data, "webhook_path")){
if(typeof data.webhook_path !== "string"){
const err6 = {instancePath:instancePath+"/webhook_path",schemaPath:"#/properties/webhook_path/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
}
if(data.filter !== undefined && func0.call(data, "filter")){
let data4 = data.filter;
if((typeof data4 !== "string") && (!(data4 && typeof data4 == "object" && !Array.isArray(data4)))){
const err7 = {instancePath:instancePath+"/filter",schemaPath:"#/$defs/Condition/type",keyword:"type",params:{type: schema38.type},message:"must be string,object"};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
const _errs13 = errors;
let valid2 = true;
const _errs14 = errors;
if(data4 && typeof data4 == "object" && !Array.isArray(data4)){
if(data4.lang !== undefined && func0.call(data4, "lang")){
let data5 = data4.lang;
if(!((((data5 === "jsonpath") || (data5 === "jmespath")) || (data5 === "cel")) || (data5 === "jsonlogic"))){
const err8 = {};
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
var _valid0 = _errs14 === errors;
errors = _errs13;
if(vErrors !== null){
if(_errs13){
vErrors.length = _errs13;
}
else {
vErrors = null;
}
}
if(_valid0){
const _errs16 = errors;
if(data4 && typeof data4 == "object" && !Array.isArray(data4)){
if((data4.expr === undefined) || (!(func0.call(data4, "expr")))){
const err9 = {instancePath:instancePath+"/filter",schemaPath:"#/$defs/Condition/then/required",keyword:"required",params:{missingProperty: "expr"},message:"must have required property '"+"expr"+"'"};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
}
var _valid0 = _errs16 === errors;
valid2 = _valid0;
}
if(!valid2){
const err10 = {instancePath:instancePath+"/filter",schemaPath:"#/$defs/Condition/if",keyword:"if",params:{failingKeyword: "then"},message:"must match \"then\" schema"};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
}
if(data4 && typeof data4 == "object" && !Array.isArray(data4)){
if((data4.lang === undefined) || (!(func0.call(data4, "lang")))){
const err11 = {instancePath:instancePath+"/filter",schemaPath:"#/$defs/Condition/required",keyword:"required",params:{missingProperty: "lang"},message:"must have required property '"+"lang"+"'"};
if(vErrors === null){
vErrors = [err11];
}
else {
vErrors.push(err11);
}
errors++;
}
for(const key1 of Object.keys(data4)){
if(!(((key1 === "lang") || (key1 === "expr")) || (key1 === "nl"))){
const err12 = {instancePath:instancePath+"/filter",schemaPath:"#/$defs/Condition/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key1},message:"must NOT have additional properties"};
if(vErrors === null){
vErrors = [err12];
}
else {
vErrors.push(err12);
}
errors++;
}
}
if(data4.lang !== undefined && func0.call(data4, "lang")){
let data6 = data4.lang;
if(typeof data6 !== "string"){
const err13 = {instancePath:instancePath+"/filter/lang",schemaPath:"#/$defs/Condition/properties/lang/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err13];
}
else {
vErrors.push(err13);
}
errors++;
}
if(!((((((data6 === "jsonpath") || (data6 === "jmespath")) || (data6 === "cel")) || (data6 === "jsonlogic")) || (data6 === "always")) || (data6 === "never"))){
const err14 = {instancePath:instancePath+"/filter/lang",schemaPath:"#/$defs/Condition/properties/lang/enum",keyword:"enum",params:{allowedValues: schema38.properties.lang.enum},message:"must be equal to one of the allowed values"};
if(vErrors === null){
vErrors = [err14];
}
else {
vErrors.push(err14);
}
errors++;
}
}
if(data4.expr !== undefined && func0.call(data4, "expr")){
let data7 = data4.expr;
if(((typeof data7 !== "string") && (!(data7 && typeof data7 == "object" && !Array.isArray(data7)))) && (typeof data7 !== "boolean")){
const err15 = {instancePath:instancePath+"/filter/expr",schemaPath:"#/$defs/Condition/properties/expr/type",keyword:"type",params:{type: schema38.properties.expr.type},message:"must be string,object,boolean"};
if(vErrors === null){
vErrors = [err15];
}
else {
vErrors.push(err15);
}
errors++;
}
}
if(data4.nl !== undefined && func0.call(data4, "nl")){
if(typeof data4.nl !== "string"){
const err16 = {instancePath:instancePath+"/filter/nl",schemaPath:"#/$defs/Condition/properties/nl/type",keyword:"type",params:{type: "string"},message:"must be string"};
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
validate35.errors = vErrors;
return errors === 0;
}
validate35.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};


function validate34(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate34.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(data && typeof data == "object" && !Array.isArray(data)){
for(const key0 of Object.keys(data)){
if(!(((((key0 === "triggers") || (key0 === "on_start")) || (key0 === "on_complete")) || (key0 === "on_error")) || (key0 === "on_tool_call"))){
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
if(data.triggers !== undefined && func0.call(data, "triggers")){
let data0 = data.triggers;
if(Array.isArray(data0)){
const len0 = data0.length;
for(let i0=0; i0<len0; i0++){
if(!(validate35(data0[i0], {instancePath:instancePath+"/triggers/" + i0,parentData:data0,parentDataProperty:i0,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate35.errors : vErrors.concat(validate35.errors);
errors = vErrors.length;
}
}
}
else {
const err1 = {instancePath:instancePath+"/triggers",schemaPath:"#/properties/triggers/type",keyword:"type",params:{type: "array"},message:"must be array"};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
}
if(data.on_start !== undefined && func0.call(data, "on_start")){
if(typeof data.on_start !== "string"){
const err2 = {instancePath:instancePath+"/on_start",schemaPath:"#/properties/on_start/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
}
if(data.on_complete !== undefined && func0.call(data, "on_complete")){
if(typeof data.on_complete !== "string"){
const err3 = {instancePath:instancePath+"/on_complete",schemaPath:"#/properties/on_complete/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
}
if(data.on_error !== undefined && func0.call(data, "on_error")){
if(typeof data.on_error !== "string"){
const err4 = {instancePath:instancePath+"/on_error",schemaPath:"#/properties/on_error/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
}
if(data.on_tool_call !== undefined && func0.call(data, "on_tool_call")){
if(typeof data.on_tool_call !== "string"){
const err5 = {instancePath:instancePath+"/on_tool_call",schemaPath:"#/properties/on_tool_call/type",keyword:"type",params:{type: "string"},message:"must be string"};
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
else {
const err6 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
validate34.errors = vErrors;
return errors === 0;
}
validate34.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

const schema54 = {"type":"object","properties":{"judge_model":{"type":"string"},"metrics":{"type":"array","items":{"$ref":"#/$defs/Metric"}},"test_cases":{"type":"array","items":{"$ref":"#/$defs/TestCase"}}},"additionalProperties":false};
const schema55 = {"type":"object","required":["name"],"properties":{"name":{"type":"string","enum":["faithfulness","relevance","coherence","toxicity","hallucination_rate","task_completion","latency_ms","cost_usd_per_run","tool_call_accuracy","custom"]},"threshold":{"type":"number"},"custom_name":{"type":"string"}},"additionalProperties":false};
const schema56 = {"type":"object","required":["id","input"],"properties":{"id":{"type":"string"},"input":{},"expected_output":{},"criteria":{"type":"string"}},"additionalProperties":false};

function validate38(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate38.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(data && typeof data == "object" && !Array.isArray(data)){
for(const key0 of Object.keys(data)){
if(!(((key0 === "judge_model") || (key0 === "metrics")) || (key0 === "test_cases"))){
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
if(data.judge_model !== undefined && func0.call(data, "judge_model")){
if(typeof data.judge_model !== "string"){
const err1 = {instancePath:instancePath+"/judge_model",schemaPath:"#/properties/judge_model/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
}
if(data.metrics !== undefined && func0.call(data, "metrics")){
let data1 = data.metrics;
if(Array.isArray(data1)){
const len0 = data1.length;
for(let i0=0; i0<len0; i0++){
let data2 = data1[i0];
if(data2 && typeof data2 == "object" && !Array.isArray(data2)){
if((data2.name === undefined) || (!(func0.call(data2, "name")))){
const err2 = {instancePath:instancePath+"/metrics/" + i0,schemaPath:"#/$defs/Metric/required",keyword:"required",params:{missingProperty: "name"},message:"must have required property '"+"name"+"'"};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
for(const key1 of Object.keys(data2)){
if(!(((key1 === "name") || (key1 === "threshold")) || (key1 === "custom_name"))){
const err3 = {instancePath:instancePath+"/metrics/" + i0,schemaPath:"#/$defs/Metric/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key1},message:"must NOT have additional properties"};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
}
if(data2.name !== undefined && func0.call(data2, "name")){
let data3 = data2.name;
if(typeof data3 !== "string"){
const err4 = {instancePath:instancePath+"/metrics/" + i0+"/name",schemaPath:"#/$defs/Metric/properties/name/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
if(!((((((((((data3 === "faithfulness") || (data3 === "relevance")) || (data3 === "coherence")) || (data3 === "toxicity")) || (data3 === "hallucination_rate")) || (data3 === "task_completion")) || (data3 === "latency_ms")) || (data3 === "cost_usd_per_run")) || (data3 === "tool_call_accuracy")) || (data3 === "custom"))){
const err5 = {instancePath:instancePath+"/metrics/" + i0+"/name",schemaPath:"#/$defs/Metric/properties/name/enum",keyword:"enum",params:{allowedValues: schema55.properties.name.enum},message:"must be equal to one of the allowed values"};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
}
if(data2.threshold !== undefined && func0.call(data2, "threshold")){
let data4 = data2.threshold;
if(!((typeof data4 == "number") && (isFinite(data4)))){
const err6 = {instancePath:instancePath+"/metrics/" + i0+"/threshold",schemaPath:"#/$defs/Metric/properties/threshold/type",keyword:"type",params:{type: "number"},message:"must be number"};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
}
if(data2.custom_name !== undefined && func0.call(data2, "custom_name")){
if(typeof data2.custom_name !== "string"){
const err7 = {instancePath:instancePath+"/metrics/" + i0+"/custom_name",schemaPath:"#/$defs/Metric/properties/custom_name/type",keyword:"type",params:{type: "string"},message:"must be string"};
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
const err8 = {instancePath:instancePath+"/metrics/" + i0,schemaPath:"#/$defs/Metric/type",keyword:"type",params:{type: "object"},message:"must be object"};
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
const err9 = {instancePath:instancePath+"/metrics",schemaPath:"#/properties/metrics/type",keyword:"type",params:{type: "array"},message:"must be array"};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
}
if(data.test_cases !== undefined && func0.call(data, "test_cases")){
let data6 = data.test_cases;
if(Array.isArray(data6)){
const len1 = data6.length;
for(let i1=0; i1<len1; i1++){
let data7 = data6[i1];
if(data7 && typeof data7 == "object" && !Array.isArray(data7)){
if((data7.id === undefined) || (!(func0.call(data7, "id")))){
const err10 = {instancePath:instancePath+"/test_cases/" + i1,schemaPath:"#/$defs/TestCase/required",keyword:"required",params:{missingProperty: "id"},message:"must have required property '"+"id"+"'"};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
}
if((data7.input === undefined) || (!(func0.call(data7, "input")))){
const err11 = {instancePath:instancePath+"/test_cases/" + i1,schemaPath:"#/$defs/TestCase/required",keyword:"required",params:{missingProperty: "input"},message:"must have required property '"+"input"+"'"};
if(vErrors === null){
vErrors = [err11];
}
else {
vErrors.push(err11);
}
errors++;
}
for(const key2 of Object.keys(data7)){
if(!((((key2 === "id") || (key2 === "input")) || (key2 === "expected_output")) || (key2 === "criteria"))){
const err12 = {instancePath:instancePath+"/test_cases/" + i1,schemaPath:"#/$defs/TestCase/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key2},message:"must NOT have additional properties"};
if(vErrors === null){
vErrors = [err12];
}
else {
vErrors.push(err12);
}
errors++;
}
}
if(data7.id !== undefined && func0.call(data7, "id")){
if(typeof data7.id !== "string"){
const err13 = {instancePath:instancePath+"/test_cases/" + i1+"/id",schemaPath:"#/$defs/TestCase/properties/id/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err13];
}
else {
vErrors.push(err13);
}
errors++;
}
}
if(data7.criteria !== undefined && func0.call(data7, "criteria")){
if(typeof data7.criteria !== "string"){
const err14 = {instancePath:instancePath+"/test_cases/" + i1+"/criteria",schemaPath:"#/$defs/TestCase/properties/criteria/type",keyword:"type",params:{type: "string"},message:"must be string"};
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
else {
const err15 = {instancePath:instancePath+"/test_cases/" + i1,schemaPath:"#/$defs/TestCase/type",keyword:"type",params:{type: "object"},message:"must be object"};
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
const err16 = {instancePath:instancePath+"/test_cases",schemaPath:"#/properties/test_cases/type",keyword:"type",params:{type: "array"},message:"must be array"};
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
const err17 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err17];
}
else {
vErrors.push(err17);
}
errors++;
}
validate38.errors = vErrors;
return errors === 0;
}
validate38.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

const schema57 = {"type":"object","properties":{"safety_level":{"type":"string","enum":["minimal","standard","strict","regulated"]},"data_residency":{"type":"string","enum":["global","EU","US","UK","APAC","custom"]},"pii_handling":{"type":"string","enum":["none","detect","anonymize","encrypt","reject"]},"audit_log":{"type":"boolean"},"human_in_the_loop":{"$ref":"#/$defs/HumanInTheLoop"}},"additionalProperties":false};
const schema58 = {"type":"object","properties":{"enabled":{"type":"boolean"},"trigger":{"$ref":"#/$defs/Condition"},"timeout_seconds":{"type":"integer"}},"additionalProperties":false};

function validate41(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate41.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(data && typeof data == "object" && !Array.isArray(data)){
for(const key0 of Object.keys(data)){
if(!(((key0 === "enabled") || (key0 === "trigger")) || (key0 === "timeout_seconds"))){
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
if(data.enabled !== undefined && func0.call(data, "enabled")){
if(typeof data.enabled !== "boolean"){
const err1 = {instancePath:instancePath+"/enabled",schemaPath:"#/properties/enabled/type",keyword:"type",params:{type: "boolean"},message:"must be boolean"};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
}
if(data.trigger !== undefined && func0.call(data, "trigger")){
let data1 = data.trigger;
if((typeof data1 !== "string") && (!(data1 && typeof data1 == "object" && !Array.isArray(data1)))){
const err2 = {instancePath:instancePath+"/trigger",schemaPath:"#/$defs/Condition/type",keyword:"type",params:{type: schema38.type},message:"must be string,object"};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
const _errs7 = errors;
let valid2 = true;
const _errs8 = errors;
if(data1 && typeof data1 == "object" && !Array.isArray(data1)){
if(data1.lang !== undefined && func0.call(data1, "lang")){
let data2 = data1.lang;
if(!((((data2 === "jsonpath") || (data2 === "jmespath")) || (data2 === "cel")) || (data2 === "jsonlogic"))){
const err3 = {};
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
var _valid0 = _errs8 === errors;
errors = _errs7;
if(vErrors !== null){
if(_errs7){
vErrors.length = _errs7;
}
else {
vErrors = null;
}
}
if(_valid0){
const _errs10 = errors;
if(data1 && typeof data1 == "object" && !Array.isArray(data1)){
if((data1.expr === undefined) || (!(func0.call(data1, "expr")))){
const err4 = {instancePath:instancePath+"/trigger",schemaPath:"#/$defs/Condition/then/required",keyword:"required",params:{missingProperty: "expr"},message:"must have required property '"+"expr"+"'"};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
}
var _valid0 = _errs10 === errors;
valid2 = _valid0;
}
if(!valid2){
const err5 = {instancePath:instancePath+"/trigger",schemaPath:"#/$defs/Condition/if",keyword:"if",params:{failingKeyword: "then"},message:"must match \"then\" schema"};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
if(data1 && typeof data1 == "object" && !Array.isArray(data1)){
if((data1.lang === undefined) || (!(func0.call(data1, "lang")))){
const err6 = {instancePath:instancePath+"/trigger",schemaPath:"#/$defs/Condition/required",keyword:"required",params:{missingProperty: "lang"},message:"must have required property '"+"lang"+"'"};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
for(const key1 of Object.keys(data1)){
if(!(((key1 === "lang") || (key1 === "expr")) || (key1 === "nl"))){
const err7 = {instancePath:instancePath+"/trigger",schemaPath:"#/$defs/Condition/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key1},message:"must NOT have additional properties"};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
}
if(data1.lang !== undefined && func0.call(data1, "lang")){
let data3 = data1.lang;
if(typeof data3 !== "string"){
const err8 = {instancePath:instancePath+"/trigger/lang",schemaPath:"#/$defs/Condition/properties/lang/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
if(!((((((data3 === "jsonpath") || (data3 === "jmespath")) || (data3 === "cel")) || (data3 === "jsonlogic")) || (data3 === "always")) || (data3 === "never"))){
const err9 = {instancePath:instancePath+"/trigger/lang",schemaPath:"#/$defs/Condition/properties/lang/enum",keyword:"enum",params:{allowedValues: schema38.properties.lang.enum},message:"must be equal to one of the allowed values"};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
}
if(data1.expr !== undefined && func0.call(data1, "expr")){
let data4 = data1.expr;
if(((typeof data4 !== "string") && (!(data4 && typeof data4 == "object" && !Array.isArray(data4)))) && (typeof data4 !== "boolean")){
const err10 = {instancePath:instancePath+"/trigger/expr",schemaPath:"#/$defs/Condition/properties/expr/type",keyword:"type",params:{type: schema38.properties.expr.type},message:"must be string,object,boolean"};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
}
}
if(data1.nl !== undefined && func0.call(data1, "nl")){
if(typeof data1.nl !== "string"){
const err11 = {instancePath:instancePath+"/trigger/nl",schemaPath:"#/$defs/Condition/properties/nl/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err11];
}
else {
vErrors.push(err11);
}
errors++;
}
}
}
}
if(data.timeout_seconds !== undefined && func0.call(data, "timeout_seconds")){
let data6 = data.timeout_seconds;
if(!(((typeof data6 == "number") && (!(data6 % 1) && !isNaN(data6))) && (isFinite(data6)))){
const err12 = {instancePath:instancePath+"/timeout_seconds",schemaPath:"#/properties/timeout_seconds/type",keyword:"type",params:{type: "integer"},message:"must be integer"};
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
const err13 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err13];
}
else {
vErrors.push(err13);
}
errors++;
}
validate41.errors = vErrors;
return errors === 0;
}
validate41.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};


function validate40(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate40.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(data && typeof data == "object" && !Array.isArray(data)){
for(const key0 of Object.keys(data)){
if(!(((((key0 === "safety_level") || (key0 === "data_residency")) || (key0 === "pii_handling")) || (key0 === "audit_log")) || (key0 === "human_in_the_loop"))){
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
if(data.safety_level !== undefined && func0.call(data, "safety_level")){
let data0 = data.safety_level;
if(typeof data0 !== "string"){
const err1 = {instancePath:instancePath+"/safety_level",schemaPath:"#/properties/safety_level/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
if(!((((data0 === "minimal") || (data0 === "standard")) || (data0 === "strict")) || (data0 === "regulated"))){
const err2 = {instancePath:instancePath+"/safety_level",schemaPath:"#/properties/safety_level/enum",keyword:"enum",params:{allowedValues: schema57.properties.safety_level.enum},message:"must be equal to one of the allowed values"};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
}
if(data.data_residency !== undefined && func0.call(data, "data_residency")){
let data1 = data.data_residency;
if(typeof data1 !== "string"){
const err3 = {instancePath:instancePath+"/data_residency",schemaPath:"#/properties/data_residency/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
if(!((((((data1 === "global") || (data1 === "EU")) || (data1 === "US")) || (data1 === "UK")) || (data1 === "APAC")) || (data1 === "custom"))){
const err4 = {instancePath:instancePath+"/data_residency",schemaPath:"#/properties/data_residency/enum",keyword:"enum",params:{allowedValues: schema57.properties.data_residency.enum},message:"must be equal to one of the allowed values"};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
}
if(data.pii_handling !== undefined && func0.call(data, "pii_handling")){
let data2 = data.pii_handling;
if(typeof data2 !== "string"){
const err5 = {instancePath:instancePath+"/pii_handling",schemaPath:"#/properties/pii_handling/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
if(!(((((data2 === "none") || (data2 === "detect")) || (data2 === "anonymize")) || (data2 === "encrypt")) || (data2 === "reject"))){
const err6 = {instancePath:instancePath+"/pii_handling",schemaPath:"#/properties/pii_handling/enum",keyword:"enum",params:{allowedValues: schema57.properties.pii_handling.enum},message:"must be equal to one of the allowed values"};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
}
if(data.audit_log !== undefined && func0.call(data, "audit_log")){
if(typeof data.audit_log !== "boolean"){
const err7 = {instancePath:instancePath+"/audit_log",schemaPath:"#/properties/audit_log/type",keyword:"type",params:{type: "boolean"},message:"must be boolean"};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
}
if(data.human_in_the_loop !== undefined && func0.call(data, "human_in_the_loop")){
if(!(validate41(data.human_in_the_loop, {instancePath:instancePath+"/human_in_the_loop",parentData:data,parentDataProperty:"human_in_the_loop",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate41.errors : vErrors.concat(validate41.errors);
errors = vErrors.length;
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
validate40.errors = vErrors;
return errors === 0;
}
validate40.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};


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
if((data.name === undefined) || (!(func0.call(data, "name")))){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "name"},message:"must have required property '"+"name"+"'"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if((data.goal === undefined) || (!(func0.call(data, "goal")))){
const err1 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "goal"},message:"must have required property '"+"goal"+"'"};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
for(const key0 of Object.keys(data)){
if(!(func0.call(schema32.properties, key0))){
const err2 = {instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
}
if(data.name !== undefined && func0.call(data, "name")){
let data0 = data.name;
if(typeof data0 === "string"){
if(func73(data0) < 1){
const err3 = {instancePath:instancePath+"/name",schemaPath:"#/properties/name/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
}
else {
const err4 = {instancePath:instancePath+"/name",schemaPath:"#/properties/name/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
}
if(data.version !== undefined && func0.call(data, "version")){
let data1 = data.version;
if(typeof data1 === "string"){
if(!pattern5.test(data1)){
const err5 = {instancePath:instancePath+"/version",schemaPath:"#/properties/version/pattern",keyword:"pattern",params:{pattern: "^\\d+\\.\\d+\\.\\d+$"},message:"must match pattern \""+"^\\d+\\.\\d+\\.\\d+$"+"\""};
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
const err6 = {instancePath:instancePath+"/version",schemaPath:"#/properties/version/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
}
if(data.description !== undefined && func0.call(data, "description")){
if(typeof data.description !== "string"){
const err7 = {instancePath:instancePath+"/description",schemaPath:"#/properties/description/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
}
if(data.goal !== undefined && func0.call(data, "goal")){
if(typeof data.goal !== "string"){
const err8 = {instancePath:instancePath+"/goal",schemaPath:"#/properties/goal/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
}
if(data.instructions !== undefined && func0.call(data, "instructions")){
if(typeof data.instructions !== "string"){
const err9 = {instancePath:instancePath+"/instructions",schemaPath:"#/properties/instructions/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
}
if(data.skills !== undefined && func0.call(data, "skills")){
let data5 = data.skills;
if(Array.isArray(data5)){
const len0 = data5.length;
for(let i0=0; i0<len0; i0++){
if(typeof data5[i0] !== "string"){
const err10 = {instancePath:instancePath+"/skills/" + i0,schemaPath:"#/properties/skills/items/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
}
}
let i1 = data5.length;
let j0;
if(i1 > 1){
const indices0 = {};
for(;i1--;){
let item0 = data5[i1];
if(typeof item0 !== "string"){
continue;
}
if(typeof indices0[item0] == "number"){
j0 = indices0[item0];
const err11 = {instancePath:instancePath+"/skills",schemaPath:"#/properties/skills/uniqueItems",keyword:"uniqueItems",params:{i: i1, j: j0},message:"must NOT have duplicate items (items ## "+j0+" and "+i1+" are identical)"};
if(vErrors === null){
vErrors = [err11];
}
else {
vErrors.push(err11);
}
errors++;
break;
}
indices0[item0] = i1;
}
}
}
else {
const err12 = {instancePath:instancePath+"/skills",schemaPath:"#/properties/skills/type",keyword:"type",params:{type: "array"},message:"must be array"};
if(vErrors === null){
vErrors = [err12];
}
else {
vErrors.push(err12);
}
errors++;
}
}
if(data.required_capabilities !== undefined && func0.call(data, "required_capabilities")){
let data7 = data.required_capabilities;
if(Array.isArray(data7)){
const len1 = data7.length;
for(let i2=0; i2<len1; i2++){
if(typeof data7[i2] !== "string"){
const err13 = {instancePath:instancePath+"/required_capabilities/" + i2,schemaPath:"#/properties/required_capabilities/items/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err13];
}
else {
vErrors.push(err13);
}
errors++;
}
}
let i3 = data7.length;
let j1;
if(i3 > 1){
const indices1 = {};
for(;i3--;){
let item1 = data7[i3];
if(typeof item1 !== "string"){
continue;
}
if(typeof indices1[item1] == "number"){
j1 = indices1[item1];
const err14 = {instancePath:instancePath+"/required_capabilities",schemaPath:"#/properties/required_capabilities/uniqueItems",keyword:"uniqueItems",params:{i: i3, j: j1},message:"must NOT have duplicate items (items ## "+j1+" and "+i3+" are identical)"};
if(vErrors === null){
vErrors = [err14];
}
else {
vErrors.push(err14);
}
errors++;
break;
}
indices1[item1] = i3;
}
}
}
else {
const err15 = {instancePath:instancePath+"/required_capabilities",schemaPath:"#/properties/required_capabilities/type",keyword:"type",params:{type: "array"},message:"must be array"};
if(vErrors === null){
vErrors = [err15];
}
else {
vErrors.push(err15);
}
errors++;
}
}
if(data.model !== undefined && func0.call(data, "model")){
if(!(validate22(data.model, {instancePath:instancePath+"/model",parentData:data,parentDataProperty:"model",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate22.errors : vErrors.concat(validate22.errors);
errors = vErrors.length;
}
}
if(data.orchestration !== undefined && func0.call(data, "orchestration")){
if(!(validate24(data.orchestration, {instancePath:instancePath+"/orchestration",parentData:data,parentDataProperty:"orchestration",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate24.errors : vErrors.concat(validate24.errors);
errors = vErrors.length;
}
}
if(data.context !== undefined && func0.call(data, "context")){
let data11 = data.context;
if(Array.isArray(data11)){
const len2 = data11.length;
for(let i4=0; i4<len2; i4++){
let data12 = data11[i4];
if(data12 && typeof data12 == "object" && !Array.isArray(data12)){
if((data12.type === undefined) || (!(func0.call(data12, "type")))){
const err16 = {instancePath:instancePath+"/context/" + i4,schemaPath:"#/$defs/ContextItem/required",keyword:"required",params:{missingProperty: "type"},message:"must have required property '"+"type"+"'"};
if(vErrors === null){
vErrors = [err16];
}
else {
vErrors.push(err16);
}
errors++;
}
if((data12.value === undefined) || (!(func0.call(data12, "value")))){
const err17 = {instancePath:instancePath+"/context/" + i4,schemaPath:"#/$defs/ContextItem/required",keyword:"required",params:{missingProperty: "value"},message:"must have required property '"+"value"+"'"};
if(vErrors === null){
vErrors = [err17];
}
else {
vErrors.push(err17);
}
errors++;
}
for(const key1 of Object.keys(data12)){
if(!(((((key1 === "type") || (key1 === "label")) || (key1 === "value")) || (key1 === "description")) || (key1 === "refresh_ttl_seconds"))){
const err18 = {instancePath:instancePath+"/context/" + i4,schemaPath:"#/$defs/ContextItem/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key1},message:"must NOT have additional properties"};
if(vErrors === null){
vErrors = [err18];
}
else {
vErrors.push(err18);
}
errors++;
}
}
if(data12.type !== undefined && func0.call(data12, "type")){
let data13 = data12.type;
if(typeof data13 !== "string"){
const err19 = {instancePath:instancePath+"/context/" + i4+"/type",schemaPath:"#/$defs/ContextItem/properties/type/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err19];
}
else {
vErrors.push(err19);
}
errors++;
}
if(!(((((data13 === "text") || (data13 === "file")) || (data13 === "url")) || (data13 === "dataset")) || (data13 === "schema_ref"))){
const err20 = {instancePath:instancePath+"/context/" + i4+"/type",schemaPath:"#/$defs/ContextItem/properties/type/enum",keyword:"enum",params:{allowedValues: schema42.properties.type.enum},message:"must be equal to one of the allowed values"};
if(vErrors === null){
vErrors = [err20];
}
else {
vErrors.push(err20);
}
errors++;
}
}
if(data12.label !== undefined && func0.call(data12, "label")){
if(typeof data12.label !== "string"){
const err21 = {instancePath:instancePath+"/context/" + i4+"/label",schemaPath:"#/$defs/ContextItem/properties/label/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err21];
}
else {
vErrors.push(err21);
}
errors++;
}
}
if(data12.value !== undefined && func0.call(data12, "value")){
if(typeof data12.value !== "string"){
const err22 = {instancePath:instancePath+"/context/" + i4+"/value",schemaPath:"#/$defs/ContextItem/properties/value/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err22];
}
else {
vErrors.push(err22);
}
errors++;
}
}
if(data12.description !== undefined && func0.call(data12, "description")){
if(typeof data12.description !== "string"){
const err23 = {instancePath:instancePath+"/context/" + i4+"/description",schemaPath:"#/$defs/ContextItem/properties/description/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err23];
}
else {
vErrors.push(err23);
}
errors++;
}
}
if(data12.refresh_ttl_seconds !== undefined && func0.call(data12, "refresh_ttl_seconds")){
let data17 = data12.refresh_ttl_seconds;
if(!(((typeof data17 == "number") && (!(data17 % 1) && !isNaN(data17))) && (isFinite(data17)))){
const err24 = {instancePath:instancePath+"/context/" + i4+"/refresh_ttl_seconds",schemaPath:"#/$defs/ContextItem/properties/refresh_ttl_seconds/type",keyword:"type",params:{type: "integer"},message:"must be integer"};
if(vErrors === null){
vErrors = [err24];
}
else {
vErrors.push(err24);
}
errors++;
}
if((typeof data17 == "number") && (isFinite(data17))){
if(data17 < 0 || isNaN(data17)){
const err25 = {instancePath:instancePath+"/context/" + i4+"/refresh_ttl_seconds",schemaPath:"#/$defs/ContextItem/properties/refresh_ttl_seconds/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"};
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
}
else {
const err26 = {instancePath:instancePath+"/context/" + i4,schemaPath:"#/$defs/ContextItem/type",keyword:"type",params:{type: "object"},message:"must be object"};
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
const err27 = {instancePath:instancePath+"/context",schemaPath:"#/properties/context/type",keyword:"type",params:{type: "array"},message:"must be array"};
if(vErrors === null){
vErrors = [err27];
}
else {
vErrors.push(err27);
}
errors++;
}
}
if(data.tools !== undefined && func0.call(data, "tools")){
let data18 = data.tools;
if(Array.isArray(data18)){
const len3 = data18.length;
for(let i5=0; i5<len3; i5++){
if(!(validate30(data18[i5], {instancePath:instancePath+"/tools/" + i5,parentData:data18,parentDataProperty:i5,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate30.errors : vErrors.concat(validate30.errors);
errors = vErrors.length;
}
}
}
else {
const err28 = {instancePath:instancePath+"/tools",schemaPath:"#/properties/tools/type",keyword:"type",params:{type: "array"},message:"must be array"};
if(vErrors === null){
vErrors = [err28];
}
else {
vErrors.push(err28);
}
errors++;
}
}
if(data.memory !== undefined && func0.call(data, "memory")){
let data20 = data.memory;
if(Array.isArray(data20)){
const len4 = data20.length;
for(let i6=0; i6<len4; i6++){
let data21 = data20[i6];
if(data21 && typeof data21 == "object" && !Array.isArray(data21)){
if((data21.scope === undefined) || (!(func0.call(data21, "scope")))){
const err29 = {instancePath:instancePath+"/memory/" + i6,schemaPath:"#/$defs/MemoryEntry/required",keyword:"required",params:{missingProperty: "scope"},message:"must have required property '"+"scope"+"'"};
if(vErrors === null){
vErrors = [err29];
}
else {
vErrors.push(err29);
}
errors++;
}
if((data21.content === undefined) || (!(func0.call(data21, "content")))){
const err30 = {instancePath:instancePath+"/memory/" + i6,schemaPath:"#/$defs/MemoryEntry/required",keyword:"required",params:{missingProperty: "content"},message:"must have required property '"+"content"+"'"};
if(vErrors === null){
vErrors = [err30];
}
else {
vErrors.push(err30);
}
errors++;
}
for(const key2 of Object.keys(data21)){
if(!((((((((key2 === "scope") || (key2 === "key")) || (key2 === "content")) || (key2 === "backend")) || (key2 === "ttl_seconds")) || (key2 === "embedding_model")) || (key2 === "retrieval_strategy")) || (key2 === "top_k"))){
const err31 = {instancePath:instancePath+"/memory/" + i6,schemaPath:"#/$defs/MemoryEntry/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key2},message:"must NOT have additional properties"};
if(vErrors === null){
vErrors = [err31];
}
else {
vErrors.push(err31);
}
errors++;
}
}
if(data21.scope !== undefined && func0.call(data21, "scope")){
let data22 = data21.scope;
if(typeof data22 !== "string"){
const err32 = {instancePath:instancePath+"/memory/" + i6+"/scope",schemaPath:"#/$defs/MemoryEntry/properties/scope/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err32];
}
else {
vErrors.push(err32);
}
errors++;
}
if(!((((data22 === "user") || (data22 === "session")) || (data22 === "task")) || (data22 === "long_term"))){
const err33 = {instancePath:instancePath+"/memory/" + i6+"/scope",schemaPath:"#/$defs/MemoryEntry/properties/scope/enum",keyword:"enum",params:{allowedValues: schema47.properties.scope.enum},message:"must be equal to one of the allowed values"};
if(vErrors === null){
vErrors = [err33];
}
else {
vErrors.push(err33);
}
errors++;
}
}
if(data21.key !== undefined && func0.call(data21, "key")){
if(typeof data21.key !== "string"){
const err34 = {instancePath:instancePath+"/memory/" + i6+"/key",schemaPath:"#/$defs/MemoryEntry/properties/key/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err34];
}
else {
vErrors.push(err34);
}
errors++;
}
}
if(data21.content !== undefined && func0.call(data21, "content")){
if(typeof data21.content !== "string"){
const err35 = {instancePath:instancePath+"/memory/" + i6+"/content",schemaPath:"#/$defs/MemoryEntry/properties/content/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err35];
}
else {
vErrors.push(err35);
}
errors++;
}
}
if(data21.backend !== undefined && func0.call(data21, "backend")){
let data25 = data21.backend;
if(typeof data25 !== "string"){
const err36 = {instancePath:instancePath+"/memory/" + i6+"/backend",schemaPath:"#/$defs/MemoryEntry/properties/backend/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err36];
}
else {
vErrors.push(err36);
}
errors++;
}
if(!(((((((((data25 === "in_memory") || (data25 === "redis")) || (data25 === "postgres")) || (data25 === "sqlite")) || (data25 === "pinecone")) || (data25 === "weaviate")) || (data25 === "qdrant")) || (data25 === "chroma")) || (data25 === "custom"))){
const err37 = {instancePath:instancePath+"/memory/" + i6+"/backend",schemaPath:"#/$defs/MemoryEntry/properties/backend/enum",keyword:"enum",params:{allowedValues: schema47.properties.backend.enum},message:"must be equal to one of the allowed values"};
if(vErrors === null){
vErrors = [err37];
}
else {
vErrors.push(err37);
}
errors++;
}
}
if(data21.ttl_seconds !== undefined && func0.call(data21, "ttl_seconds")){
let data26 = data21.ttl_seconds;
if(!(((typeof data26 == "number") && (!(data26 % 1) && !isNaN(data26))) && (isFinite(data26)))){
const err38 = {instancePath:instancePath+"/memory/" + i6+"/ttl_seconds",schemaPath:"#/$defs/MemoryEntry/properties/ttl_seconds/type",keyword:"type",params:{type: "integer"},message:"must be integer"};
if(vErrors === null){
vErrors = [err38];
}
else {
vErrors.push(err38);
}
errors++;
}
if((typeof data26 == "number") && (isFinite(data26))){
if(data26 < 0 || isNaN(data26)){
const err39 = {instancePath:instancePath+"/memory/" + i6+"/ttl_seconds",schemaPath:"#/$defs/MemoryEntry/properties/ttl_seconds/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"};
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
if(data21.embedding_model !== undefined && func0.call(data21, "embedding_model")){
if(typeof data21.embedding_model !== "string"){
const err40 = {instancePath:instancePath+"/memory/" + i6+"/embedding_model",schemaPath:"#/$defs/MemoryEntry/properties/embedding_model/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err40];
}
else {
vErrors.push(err40);
}
errors++;
}
}
if(data21.retrieval_strategy !== undefined && func0.call(data21, "retrieval_strategy")){
let data28 = data21.retrieval_strategy;
if(typeof data28 !== "string"){
const err41 = {instancePath:instancePath+"/memory/" + i6+"/retrieval_strategy",schemaPath:"#/$defs/MemoryEntry/properties/retrieval_strategy/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err41];
}
else {
vErrors.push(err41);
}
errors++;
}
if(!((((data28 === "similarity") || (data28 === "keyword")) || (data28 === "hybrid")) || (data28 === "recency"))){
const err42 = {instancePath:instancePath+"/memory/" + i6+"/retrieval_strategy",schemaPath:"#/$defs/MemoryEntry/properties/retrieval_strategy/enum",keyword:"enum",params:{allowedValues: schema47.properties.retrieval_strategy.enum},message:"must be equal to one of the allowed values"};
if(vErrors === null){
vErrors = [err42];
}
else {
vErrors.push(err42);
}
errors++;
}
}
if(data21.top_k !== undefined && func0.call(data21, "top_k")){
let data29 = data21.top_k;
if(!(((typeof data29 == "number") && (!(data29 % 1) && !isNaN(data29))) && (isFinite(data29)))){
const err43 = {instancePath:instancePath+"/memory/" + i6+"/top_k",schemaPath:"#/$defs/MemoryEntry/properties/top_k/type",keyword:"type",params:{type: "integer"},message:"must be integer"};
if(vErrors === null){
vErrors = [err43];
}
else {
vErrors.push(err43);
}
errors++;
}
if((typeof data29 == "number") && (isFinite(data29))){
if(data29 < 1 || isNaN(data29)){
const err44 = {instancePath:instancePath+"/memory/" + i6+"/top_k",schemaPath:"#/$defs/MemoryEntry/properties/top_k/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1},message:"must be >= 1"};
if(vErrors === null){
vErrors = [err44];
}
else {
vErrors.push(err44);
}
errors++;
}
}
}
}
else {
const err45 = {instancePath:instancePath+"/memory/" + i6,schemaPath:"#/$defs/MemoryEntry/type",keyword:"type",params:{type: "object"},message:"must be object"};
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
const err46 = {instancePath:instancePath+"/memory",schemaPath:"#/properties/memory/type",keyword:"type",params:{type: "array"},message:"must be array"};
if(vErrors === null){
vErrors = [err46];
}
else {
vErrors.push(err46);
}
errors++;
}
}
if(data.constraints !== undefined && func0.call(data, "constraints")){
let data30 = data.constraints;
if(Array.isArray(data30)){
const len5 = data30.length;
for(let i7=0; i7<len5; i7++){
if(typeof data30[i7] !== "string"){
const err47 = {instancePath:instancePath+"/constraints/" + i7,schemaPath:"#/properties/constraints/items/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err47];
}
else {
vErrors.push(err47);
}
errors++;
}
}
}
else {
const err48 = {instancePath:instancePath+"/constraints",schemaPath:"#/properties/constraints/type",keyword:"type",params:{type: "array"},message:"must be array"};
if(vErrors === null){
vErrors = [err48];
}
else {
vErrors.push(err48);
}
errors++;
}
}
if(data.io !== undefined && func0.call(data, "io")){
let data32 = data.io;
if(data32 && typeof data32 == "object" && !Array.isArray(data32)){
for(const key3 of Object.keys(data32)){
if(!(((((key3 === "input_schema") || (key3 === "output_schema")) || (key3 === "streaming")) || (key3 === "format")) || (key3 === "mode"))){
const err49 = {instancePath:instancePath+"/io",schemaPath:"#/$defs/Io/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key3},message:"must NOT have additional properties"};
if(vErrors === null){
vErrors = [err49];
}
else {
vErrors.push(err49);
}
errors++;
}
}
if(data32.input_schema !== undefined && func0.call(data32, "input_schema")){
let data33 = data32.input_schema;
if(!(data33 && typeof data33 == "object" && !Array.isArray(data33))){
const err50 = {instancePath:instancePath+"/io/input_schema",schemaPath:"#/$defs/Io/properties/input_schema/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err50];
}
else {
vErrors.push(err50);
}
errors++;
}
}
if(data32.output_schema !== undefined && func0.call(data32, "output_schema")){
let data34 = data32.output_schema;
if(!(data34 && typeof data34 == "object" && !Array.isArray(data34))){
const err51 = {instancePath:instancePath+"/io/output_schema",schemaPath:"#/$defs/Io/properties/output_schema/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err51];
}
else {
vErrors.push(err51);
}
errors++;
}
}
if(data32.streaming !== undefined && func0.call(data32, "streaming")){
if(typeof data32.streaming !== "boolean"){
const err52 = {instancePath:instancePath+"/io/streaming",schemaPath:"#/$defs/Io/properties/streaming/type",keyword:"type",params:{type: "boolean"},message:"must be boolean"};
if(vErrors === null){
vErrors = [err52];
}
else {
vErrors.push(err52);
}
errors++;
}
}
if(data32.format !== undefined && func0.call(data32, "format")){
let data36 = data32.format;
if(typeof data36 !== "string"){
const err53 = {instancePath:instancePath+"/io/format",schemaPath:"#/$defs/Io/properties/format/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err53];
}
else {
vErrors.push(err53);
}
errors++;
}
if(!((((data36 === "text") || (data36 === "json")) || (data36 === "markdown")) || (data36 === "structured"))){
const err54 = {instancePath:instancePath+"/io/format",schemaPath:"#/$defs/Io/properties/format/enum",keyword:"enum",params:{allowedValues: schema48.properties.format.enum},message:"must be equal to one of the allowed values"};
if(vErrors === null){
vErrors = [err54];
}
else {
vErrors.push(err54);
}
errors++;
}
}
if(data32.mode !== undefined && func0.call(data32, "mode")){
let data37 = data32.mode;
if(typeof data37 !== "string"){
const err55 = {instancePath:instancePath+"/io/mode",schemaPath:"#/$defs/Io/properties/mode/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err55];
}
else {
vErrors.push(err55);
}
errors++;
}
if(!(((data37 === "sync") || (data37 === "async")) || (data37 === "batch"))){
const err56 = {instancePath:instancePath+"/io/mode",schemaPath:"#/$defs/Io/properties/mode/enum",keyword:"enum",params:{allowedValues: schema48.properties.mode.enum},message:"must be equal to one of the allowed values"};
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
const err57 = {instancePath:instancePath+"/io",schemaPath:"#/$defs/Io/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err57];
}
else {
vErrors.push(err57);
}
errors++;
}
}
if(data.events !== undefined && func0.call(data, "events")){
if(!(validate34(data.events, {instancePath:instancePath+"/events",parentData:data,parentDataProperty:"events",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate34.errors : vErrors.concat(validate34.errors);
errors = vErrors.length;
}
}
if(data.runtime !== undefined && func0.call(data, "runtime")){
let data39 = data.runtime;
if(data39 && typeof data39 == "object" && !Array.isArray(data39)){
for(const key4 of Object.keys(data39)){
if(!((((((((key4 === "timeout_seconds") || (key4 === "max_retries")) || (key4 === "retry_backoff")) || (key4 === "concurrency")) || (key4 === "streaming")) || (key4 === "async_execution")) || (key4 === "queue")) || (key4 === "environment"))){
const err58 = {instancePath:instancePath+"/runtime",schemaPath:"#/$defs/Runtime/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key4},message:"must NOT have additional properties"};
if(vErrors === null){
vErrors = [err58];
}
else {
vErrors.push(err58);
}
errors++;
}
}
if(data39.timeout_seconds !== undefined && func0.call(data39, "timeout_seconds")){
let data40 = data39.timeout_seconds;
if(!(((typeof data40 == "number") && (!(data40 % 1) && !isNaN(data40))) && (isFinite(data40)))){
const err59 = {instancePath:instancePath+"/runtime/timeout_seconds",schemaPath:"#/$defs/Runtime/properties/timeout_seconds/type",keyword:"type",params:{type: "integer"},message:"must be integer"};
if(vErrors === null){
vErrors = [err59];
}
else {
vErrors.push(err59);
}
errors++;
}
if((typeof data40 == "number") && (isFinite(data40))){
if(data40 < 1 || isNaN(data40)){
const err60 = {instancePath:instancePath+"/runtime/timeout_seconds",schemaPath:"#/$defs/Runtime/properties/timeout_seconds/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1},message:"must be >= 1"};
if(vErrors === null){
vErrors = [err60];
}
else {
vErrors.push(err60);
}
errors++;
}
}
}
if(data39.max_retries !== undefined && func0.call(data39, "max_retries")){
let data41 = data39.max_retries;
if(!(((typeof data41 == "number") && (!(data41 % 1) && !isNaN(data41))) && (isFinite(data41)))){
const err61 = {instancePath:instancePath+"/runtime/max_retries",schemaPath:"#/$defs/Runtime/properties/max_retries/type",keyword:"type",params:{type: "integer"},message:"must be integer"};
if(vErrors === null){
vErrors = [err61];
}
else {
vErrors.push(err61);
}
errors++;
}
if((typeof data41 == "number") && (isFinite(data41))){
if(data41 < 0 || isNaN(data41)){
const err62 = {instancePath:instancePath+"/runtime/max_retries",schemaPath:"#/$defs/Runtime/properties/max_retries/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"};
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
if(data39.retry_backoff !== undefined && func0.call(data39, "retry_backoff")){
let data42 = data39.retry_backoff;
if(typeof data42 !== "string"){
const err63 = {instancePath:instancePath+"/runtime/retry_backoff",schemaPath:"#/$defs/Runtime/properties/retry_backoff/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err63];
}
else {
vErrors.push(err63);
}
errors++;
}
if(!(((data42 === "fixed") || (data42 === "linear")) || (data42 === "exponential"))){
const err64 = {instancePath:instancePath+"/runtime/retry_backoff",schemaPath:"#/$defs/Runtime/properties/retry_backoff/enum",keyword:"enum",params:{allowedValues: schema52.properties.retry_backoff.enum},message:"must be equal to one of the allowed values"};
if(vErrors === null){
vErrors = [err64];
}
else {
vErrors.push(err64);
}
errors++;
}
}
if(data39.concurrency !== undefined && func0.call(data39, "concurrency")){
let data43 = data39.concurrency;
if(!(((typeof data43 == "number") && (!(data43 % 1) && !isNaN(data43))) && (isFinite(data43)))){
const err65 = {instancePath:instancePath+"/runtime/concurrency",schemaPath:"#/$defs/Runtime/properties/concurrency/type",keyword:"type",params:{type: "integer"},message:"must be integer"};
if(vErrors === null){
vErrors = [err65];
}
else {
vErrors.push(err65);
}
errors++;
}
if((typeof data43 == "number") && (isFinite(data43))){
if(data43 < 1 || isNaN(data43)){
const err66 = {instancePath:instancePath+"/runtime/concurrency",schemaPath:"#/$defs/Runtime/properties/concurrency/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1},message:"must be >= 1"};
if(vErrors === null){
vErrors = [err66];
}
else {
vErrors.push(err66);
}
errors++;
}
}
}
if(data39.streaming !== undefined && func0.call(data39, "streaming")){
if(typeof data39.streaming !== "boolean"){
const err67 = {instancePath:instancePath+"/runtime/streaming",schemaPath:"#/$defs/Runtime/properties/streaming/type",keyword:"type",params:{type: "boolean"},message:"must be boolean"};
if(vErrors === null){
vErrors = [err67];
}
else {
vErrors.push(err67);
}
errors++;
}
}
if(data39.async_execution !== undefined && func0.call(data39, "async_execution")){
if(typeof data39.async_execution !== "boolean"){
const err68 = {instancePath:instancePath+"/runtime/async_execution",schemaPath:"#/$defs/Runtime/properties/async_execution/type",keyword:"type",params:{type: "boolean"},message:"must be boolean"};
if(vErrors === null){
vErrors = [err68];
}
else {
vErrors.push(err68);
}
errors++;
}
}
if(data39.queue !== undefined && func0.call(data39, "queue")){
if(typeof data39.queue !== "string"){
const err69 = {instancePath:instancePath+"/runtime/queue",schemaPath:"#/$defs/Runtime/properties/queue/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err69];
}
else {
vErrors.push(err69);
}
errors++;
}
}
if(data39.environment !== undefined && func0.call(data39, "environment")){
let data47 = data39.environment;
if(typeof data47 !== "string"){
const err70 = {instancePath:instancePath+"/runtime/environment",schemaPath:"#/$defs/Runtime/properties/environment/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err70];
}
else {
vErrors.push(err70);
}
errors++;
}
if(!((((data47 === "production") || (data47 === "staging")) || (data47 === "development")) || (data47 === "test"))){
const err71 = {instancePath:instancePath+"/runtime/environment",schemaPath:"#/$defs/Runtime/properties/environment/enum",keyword:"enum",params:{allowedValues: schema52.properties.environment.enum},message:"must be equal to one of the allowed values"};
if(vErrors === null){
vErrors = [err71];
}
else {
vErrors.push(err71);
}
errors++;
}
}
}
else {
const err72 = {instancePath:instancePath+"/runtime",schemaPath:"#/$defs/Runtime/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err72];
}
else {
vErrors.push(err72);
}
errors++;
}
}
if(data.telemetry !== undefined && func0.call(data, "telemetry")){
let data48 = data.telemetry;
if(data48 && typeof data48 == "object" && !Array.isArray(data48)){
for(const key5 of Object.keys(data48)){
if(!(((((key5 === "tracing") || (key5 === "log_level")) || (key5 === "metrics")) || (key5 === "trace_context_header")) || (key5 === "otlp_endpoint"))){
const err73 = {instancePath:instancePath+"/telemetry",schemaPath:"#/$defs/Telemetry/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key5},message:"must NOT have additional properties"};
if(vErrors === null){
vErrors = [err73];
}
else {
vErrors.push(err73);
}
errors++;
}
}
if(data48.tracing !== undefined && func0.call(data48, "tracing")){
if(typeof data48.tracing !== "boolean"){
const err74 = {instancePath:instancePath+"/telemetry/tracing",schemaPath:"#/$defs/Telemetry/properties/tracing/type",keyword:"type",params:{type: "boolean"},message:"must be boolean"};
if(vErrors === null){
vErrors = [err74];
}
else {
vErrors.push(err74);
}
errors++;
}
}
if(data48.log_level !== undefined && func0.call(data48, "log_level")){
let data50 = data48.log_level;
if(typeof data50 !== "string"){
const err75 = {instancePath:instancePath+"/telemetry/log_level",schemaPath:"#/$defs/Telemetry/properties/log_level/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err75];
}
else {
vErrors.push(err75);
}
errors++;
}
if(!((((data50 === "debug") || (data50 === "info")) || (data50 === "warn")) || (data50 === "error"))){
const err76 = {instancePath:instancePath+"/telemetry/log_level",schemaPath:"#/$defs/Telemetry/properties/log_level/enum",keyword:"enum",params:{allowedValues: schema53.properties.log_level.enum},message:"must be equal to one of the allowed values"};
if(vErrors === null){
vErrors = [err76];
}
else {
vErrors.push(err76);
}
errors++;
}
}
if(data48.metrics !== undefined && func0.call(data48, "metrics")){
if(typeof data48.metrics !== "boolean"){
const err77 = {instancePath:instancePath+"/telemetry/metrics",schemaPath:"#/$defs/Telemetry/properties/metrics/type",keyword:"type",params:{type: "boolean"},message:"must be boolean"};
if(vErrors === null){
vErrors = [err77];
}
else {
vErrors.push(err77);
}
errors++;
}
}
if(data48.trace_context_header !== undefined && func0.call(data48, "trace_context_header")){
if(typeof data48.trace_context_header !== "string"){
const err78 = {instancePath:instancePath+"/telemetry/trace_context_header",schemaPath:"#/$defs/Telemetry/properties/trace_context_header/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err78];
}
else {
vErrors.push(err78);
}
errors++;
}
}
if(data48.otlp_endpoint !== undefined && func0.call(data48, "otlp_endpoint")){
if(typeof data48.otlp_endpoint !== "string"){
const err79 = {instancePath:instancePath+"/telemetry/otlp_endpoint",schemaPath:"#/$defs/Telemetry/properties/otlp_endpoint/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err79];
}
else {
vErrors.push(err79);
}
errors++;
}
}
}
else {
const err80 = {instancePath:instancePath+"/telemetry",schemaPath:"#/$defs/Telemetry/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err80];
}
else {
vErrors.push(err80);
}
errors++;
}
}
if(data.evaluation !== undefined && func0.call(data, "evaluation")){
if(!(validate38(data.evaluation, {instancePath:instancePath+"/evaluation",parentData:data,parentDataProperty:"evaluation",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate38.errors : vErrors.concat(validate38.errors);
errors = vErrors.length;
}
}
if(data.compliance !== undefined && func0.call(data, "compliance")){
if(!(validate40(data.compliance, {instancePath:instancePath+"/compliance",parentData:data,parentDataProperty:"compliance",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate40.errors : vErrors.concat(validate40.errors);
errors = vErrors.length;
}
}
}
else {
const err81 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err81];
}
else {
vErrors.push(err81);
}
errors++;
}
validate21.errors = vErrors;
return errors === 0;
}
validate21.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};


function validate20(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
/*# sourceURL="urn:waybill:schema:aaif:agent:3.4.0" */;
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
if((data.agent === undefined) || (!(func0.call(data, "agent")))){
const err1 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "agent"},message:"must have required property '"+"agent"+"'"};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
for(const key0 of Object.keys(data)){
if(!(((((((((key0 === "_comment") || (key0 === "sc_standard")) || (key0 === "sc_version")) || (key0 === "agent_id")) || (key0 === "status")) || (key0 === "tags")) || (key0 === "agent")) || (key0 === "provenance")) || (pattern4.test(key0)))){
const err2 = {instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
}
if(data._comment !== undefined && func0.call(data, "_comment")){
if(typeof data._comment !== "string"){
const err3 = {instancePath:instancePath+"/_comment",schemaPath:"#/properties/_comment/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
}
if(data.sc_standard !== undefined && func0.call(data, "sc_standard")){
if("SC-006" !== data.sc_standard){
const err4 = {instancePath:instancePath+"/sc_standard",schemaPath:"#/properties/sc_standard/const",keyword:"const",params:{allowedValue: "SC-006"},message:"must be equal to constant"};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
}
if(data.sc_version !== undefined && func0.call(data, "sc_version")){
let data2 = data.sc_version;
if(typeof data2 === "string"){
if(!pattern5.test(data2)){
const err5 = {instancePath:instancePath+"/sc_version",schemaPath:"#/properties/sc_version/pattern",keyword:"pattern",params:{pattern: "^\\d+\\.\\d+\\.\\d+$"},message:"must match pattern \""+"^\\d+\\.\\d+\\.\\d+$"+"\""};
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
const err6 = {instancePath:instancePath+"/sc_version",schemaPath:"#/properties/sc_version/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
}
if(data.agent_id !== undefined && func0.call(data, "agent_id")){
if(typeof data.agent_id !== "string"){
const err7 = {instancePath:instancePath+"/agent_id",schemaPath:"#/properties/agent_id/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
}
if(data.status !== undefined && func0.call(data, "status")){
let data4 = data.status;
if(typeof data4 !== "string"){
const err8 = {instancePath:instancePath+"/status",schemaPath:"#/properties/status/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
if(!(((data4 === "draft") || (data4 === "active")) || (data4 === "deprecated"))){
const err9 = {instancePath:instancePath+"/status",schemaPath:"#/properties/status/enum",keyword:"enum",params:{allowedValues: schema31.properties.status.enum},message:"must be equal to one of the allowed values"};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
}
if(data.tags !== undefined && func0.call(data, "tags")){
let data5 = data.tags;
if(Array.isArray(data5)){
const len0 = data5.length;
for(let i0=0; i0<len0; i0++){
if(typeof data5[i0] !== "string"){
const err10 = {instancePath:instancePath+"/tags/" + i0,schemaPath:"#/properties/tags/items/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
}
}
let i1 = data5.length;
let j0;
if(i1 > 1){
const indices0 = {};
for(;i1--;){
let item0 = data5[i1];
if(typeof item0 !== "string"){
continue;
}
if(typeof indices0[item0] == "number"){
j0 = indices0[item0];
const err11 = {instancePath:instancePath+"/tags",schemaPath:"#/properties/tags/uniqueItems",keyword:"uniqueItems",params:{i: i1, j: j0},message:"must NOT have duplicate items (items ## "+j0+" and "+i1+" are identical)"};
if(vErrors === null){
vErrors = [err11];
}
else {
vErrors.push(err11);
}
errors++;
break;
}
indices0[item0] = i1;
}
}
}
else {
const err12 = {instancePath:instancePath+"/tags",schemaPath:"#/properties/tags/type",keyword:"type",params:{type: "array"},message:"must be array"};
if(vErrors === null){
vErrors = [err12];
}
else {
vErrors.push(err12);
}
errors++;
}
}
if(data.agent !== undefined && func0.call(data, "agent")){
if(!(validate21(data.agent, {instancePath:instancePath+"/agent",parentData:data,parentDataProperty:"agent",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate21.errors : vErrors.concat(validate21.errors);
errors = vErrors.length;
}
}
if(data.provenance !== undefined && func0.call(data, "provenance")){
let data8 = data.provenance;
if(data8 && typeof data8 == "object" && !Array.isArray(data8)){
for(const key1 of Object.keys(data8)){
if(!(((((((key1 === "authored_by") || (key1 === "source_platform")) || (key1 === "created_at")) || (key1 === "updated_at")) || (key1 === "license")) || (key1 === "sc_refs")) || (key1 === "signature"))){
const err13 = {instancePath:instancePath+"/provenance",schemaPath:"#/$defs/Provenance/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key1},message:"must NOT have additional properties"};
if(vErrors === null){
vErrors = [err13];
}
else {
vErrors.push(err13);
}
errors++;
}
}
if(data8.authored_by !== undefined && func0.call(data8, "authored_by")){
if(typeof data8.authored_by !== "string"){
const err14 = {instancePath:instancePath+"/provenance/authored_by",schemaPath:"#/$defs/Provenance/properties/authored_by/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err14];
}
else {
vErrors.push(err14);
}
errors++;
}
}
if(data8.source_platform !== undefined && func0.call(data8, "source_platform")){
if(typeof data8.source_platform !== "string"){
const err15 = {instancePath:instancePath+"/provenance/source_platform",schemaPath:"#/$defs/Provenance/properties/source_platform/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err15];
}
else {
vErrors.push(err15);
}
errors++;
}
}
if(data8.created_at !== undefined && func0.call(data8, "created_at")){
if(typeof data8.created_at !== "string"){
const err16 = {instancePath:instancePath+"/provenance/created_at",schemaPath:"#/$defs/Provenance/properties/created_at/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err16];
}
else {
vErrors.push(err16);
}
errors++;
}
}
if(data8.updated_at !== undefined && func0.call(data8, "updated_at")){
if(typeof data8.updated_at !== "string"){
const err17 = {instancePath:instancePath+"/provenance/updated_at",schemaPath:"#/$defs/Provenance/properties/updated_at/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err17];
}
else {
vErrors.push(err17);
}
errors++;
}
}
if(data8.license !== undefined && func0.call(data8, "license")){
if(typeof data8.license !== "string"){
const err18 = {instancePath:instancePath+"/provenance/license",schemaPath:"#/$defs/Provenance/properties/license/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err18];
}
else {
vErrors.push(err18);
}
errors++;
}
}
if(data8.sc_refs !== undefined && func0.call(data8, "sc_refs")){
let data14 = data8.sc_refs;
if(Array.isArray(data14)){
const len1 = data14.length;
for(let i2=0; i2<len1; i2++){
if(typeof data14[i2] !== "string"){
const err19 = {instancePath:instancePath+"/provenance/sc_refs/" + i2,schemaPath:"#/$defs/Provenance/properties/sc_refs/items/type",keyword:"type",params:{type: "string"},message:"must be string"};
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
const err20 = {instancePath:instancePath+"/provenance/sc_refs",schemaPath:"#/$defs/Provenance/properties/sc_refs/type",keyword:"type",params:{type: "array"},message:"must be array"};
if(vErrors === null){
vErrors = [err20];
}
else {
vErrors.push(err20);
}
errors++;
}
}
if(data8.signature !== undefined && func0.call(data8, "signature")){
if(typeof data8.signature !== "string"){
const err21 = {instancePath:instancePath+"/provenance/signature",schemaPath:"#/$defs/Provenance/properties/signature/type",keyword:"type",params:{type: "string"},message:"must be string"};
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
const err22 = {instancePath:instancePath+"/provenance",schemaPath:"#/$defs/Provenance/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err22];
}
else {
vErrors.push(err22);
}
errors++;
}
}
}
else {
const err23 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err23];
}
else {
vErrors.push(err23);
}
errors++;
}
validate20.errors = vErrors;
return errors === 0;
}
validate20.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};
