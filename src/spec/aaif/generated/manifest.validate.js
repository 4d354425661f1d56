// Generated from src/spec/aaif/manifest.schema.ts by `npm run generate`. Do not edit.
"use strict";
export const validate = validate20;
export default validate20;
const schema31 = {"$schema":"https://json-schema.org/draft/2020-12/schema","$id":"urn:waybill:schema:aaif:manifest:3.4.0","type":"object","required":["sc_standard","sc_version","platform"],"properties":{"_comment":{"type":"string"},"sc_standard":{"const":"SC-006"},"sc_version":{"type":"string","pattern":"^\\d+\\.\\d+\\.\\d+$"},"platform":{"$ref":"#/$defs/Platform"}},"additionalProperties":false,"patternProperties":{"^x-":{}},"$defs":{"Platform":{"type":"object","required":["name","version","aaif_conformance_level"],"properties":{"name":{"type":"string","minLength":1},"version":{"type":"string"},"vendor":{"type":"string"},"manifest_url":{"type":"string"},"aaif_conformance_level":{"type":"string","enum":["Core","Tooled","Portable","Multi-agent","Observable","Enterprise","Stateful"]},"aaif_versions_supported":{"type":"array","items":{"type":"string","pattern":"^\\d+\\.\\d+\\.\\d+$"},"minItems":1},"capabilities":{"$ref":"#/$defs/PlatformCapabilities"},"intake_endpoint":{"$ref":"#/$defs/IntakeEndpoint"},"manifest_issued_at":{"type":"string"},"manifest_expires_at":{"type":"string"}},"additionalProperties":false},"PlatformCapabilities":{"type":"object","properties":{"tool":{"$ref":"#/$defs/ToolSupport"},"memory":{"$ref":"#/$defs/MemorySupport"},"model":{"$ref":"#/$defs/ModelSupport"},"orchestration":{"$ref":"#/$defs/OrchestrationSupport"},"auth":{"$ref":"#/$defs/AuthSupport"},"state":{"$ref":"#/$defs/StateSupport"},"compliance":{"$ref":"#/$defs/ComplianceSupport"},"telemetry":{"$ref":"#/$defs/TelemetrySupport"}},"additionalProperties":false},"ToolSupport":{"type":"object","properties":{"function":{"type":"boolean"},"mcp":{"type":"boolean"},"http":{"type":"boolean"},"openapi":{"type":"boolean"},"parallel_calls":{"type":"boolean"}},"additionalProperties":false},"MemorySupport":{"type":"object","properties":{"in_memory":{"type":"boolean"},"redis":{"type":"boolean"},"postgres":{"type":"boolean"},"mongodb":{"type":"boolean"},"elasticsearch":{"type":"boolean"},"qdrant":{"type":"boolean"},"pinecone":{"type":"boolean"},"chroma":{"type":"boolean"},"vector":{"type":"boolean"}},"additionalProperties":false},"ModelSupport":{"type":"object","properties":{"providers":{"type":"array","items":{"type":"string"}},"routing_strategies":{"type":"array","items":{"type":"string","enum":["cost","latency","quality","round_robin"]}},"fallback":{"type":"boolean"},"streaming":{"type":"boolean"},"function_calling":{"type":"boolean"},"structured_output":{"type":"boolean"},"vision":{"type":"boolean"}},"additionalProperties":false},"OrchestrationSupport":{"type":"object","properties":{"pipeline":{"type":"boolean"},"parallel":{"type":"boolean"},"dynamic_routing":{"type":"boolean"},"handoff":{"type":"boolean"},"consensus":{"type":"boolean"},"max_subagents":{"type":"integer","minimum":1},"condition_languages":{"type":"array","items":{"type":"string","enum":["jsonpath","jmespath","cel","jsonlogic","always","never"]},"uniqueItems":true}},"additionalProperties":false},"AuthSupport":{"type":"object","properties":{"bearer":{"type":"boolean"},"api_key":{"type":"boolean"},"oauth2":{"type":"boolean"},"aws_sigv4":{"type":"boolean"},"vault":{"$ref":"#/$defs/VaultSupport"}},"additionalProperties":false},"VaultSupport":{"type":"object","properties":{"supported":{"type":"boolean"},"providers":{"type":"array","items":{"type":"string","enum":["aws_secrets_manager","hashicorp_vault","azure_key_vault","gcp_secret_manager","1password"]}}},"additionalProperties":false},"StateSupport":{"type":"object","properties":{"checkpoint":{"type":"boolean"},"live_migration":{"type":"boolean"},"streaming_handoff":{"type":"boolean"},"max_conversation_tokens":{"type":"integer","minimum":0}},"additionalProperties":false},"ComplianceSupport":{"type":"object","properties":{"human_in_the_loop":{"type":"boolean"},"audit_log":{"type":"boolean"},"pii_scrubbing":{"type":"boolean"},"data_residency_regions":{"type":"array","items":{"type":"string"}}},"additionalProperties":false},"TelemetrySupport":{"type":"object","properties":{"otel_traces":{"type":"boolean"},"otel_metrics":{"type":"boolean"},"otlp_export":{"type":"boolean"}},"additionalProperties":false},"IntakeEndpoint":{"type":"object","properties":{"url":{"type":"string"},"method":{"type":"string","enum":["POST","PUT"]},"auth_scheme":{"type":"string","enum":["bearer","api_key","none"]},"content_type":{"type":"string"},"max_body_bytes":{"type":"integer","minimum":0}},"additionalProperties":false}}};
const func0 = Object.prototype.hasOwnProperty;
const pattern4 = new RegExp("^x-", "u");
const pattern5 = new RegExp("^\\d+\\.\\d+\\.\\d+$", "u");
const schema32 = {"type":"object","required":["name","version","aaif_conformance_level"],"properties":{"name":{"type":"string","minLength":1},"version":{"type":"string"},"vendor":{"type":"string"},"manifest_url":{"type":"string"},"aaif_conformance_level":{"type":"string","enum":["Core","Tooled","Portable","Multi-agent","Observable","Enterprise","Stateful"]},"aaif_versions_supported":{"type":"array","items":{"type":"string","pattern":"^\\d+\\.\\d+\\.\\d+$"},"minItems":1},"capabilities":{"$ref":"#/$defs/PlatformCapabilities"},"intake_endpoint":{"$ref":"#/$defs/IntakeEndpoint"},"manifest_issued_at":{"type":"string"},"manifest_expires_at":{"type":"string"}},"additionalProperties":false};
const schema43 = {"type":"object","properties":{"url":{"type":"string"},"method":{"type":"string","enum":["POST","PUT"]},"auth_scheme":{"type":"string","enum":["bearer","api_key","none"]},"content_type":{"type":"string"},"max_body_bytes":{"type":"integer","minimum":0}},"additionalProperties":false};
const func72 = (text) => [...text].length;
const schema33 = {"type":"object","properties":{"tool":{"$ref":"#/$defs/ToolSupport"},"memory":{"$ref":"#/$defs/MemorySupport"},"model":{"$ref":"#/$defs/ModelSupport"},"orchestration":{"$ref":"#/$defs/OrchestrationSupport"},"auth":{"$ref":"#/$defs/AuthSupport"},"state":{"$ref":"#/$defs/StateSupport"},"compliance":{"$ref":"#/$defs/ComplianceSupport"},"telemetry":{"$ref":"#/$defs/TelemetrySupport"}},"additionalProperties":false};
const schema34 = {"type":"object","properties":{"function":{"type":"boolean"},"mcp":{"type":"boolean"},"http":{"type":"boolean"},"openapi":{"type":"boolean"},"parallel_calls":{"type":"boolean"}},"additionalProperties":false};
const schema35 = {"type":"object","properties":{"in_memory":{"type":"boolean"},"redis":{"type":"boolean"},"postgres":{"type":"boolean"},"mongodb":{"type":"boolean"},"elasticsearch":{"type":"boolean"},"qdrant":{"type":"boolean"},"pinecone":{"type":"boolean"},"chroma":{"type":"boolean"},"vector":{"type":"boolean"}},"additionalProperties":false};
const schema36 = {"type":"object","properties":{"providers":{"type":"array","items":{"type":"string"}},"routing_strategies":{"type":"array","items":{"type":"string","enum":["cost","latency","quality","round_robin"]}},"fallback":{"type":"boolean"},"streaming":{"type":"boolean"},"function_calling":{"type":"boolean"},"structured_output":{"type":"boolean"},"vision":{"type":"boolean"}},"additionalProperties":false};
const schema37 = {"type":"object","properties":{"pipeline":{"type":"boolean"},"parallel":{"type":"boolean"},"dynamic_routing":{"type":"boolean"},"handoff":{"type":"boolean"},"consensus":{"type":"boolean"},"max_subagents":{"type":"integer","minimum":1},"condition_languages":{"type":"array","items":{"type":"string","enum":["jsonpath","jmespath","cel","jsonlogic","always","never"]},"uniqueItems":true}},"additionalProperties":false};
const schema40 = {"type":"object","properties":{"checkpoint":{"type":"boolean"},"live_migration":{"type":"boolean"},"streaming_handoff":{"type":"boolean"},"max_conversation_tokens":{"type":"integer","minimum":0}},"additionalProperties":false};
const schema41 = {"type":"object","properties":{"human_in_the_loop":{"type":"boolean"},"audit_log":{"type":"boolean"},"pii_scrubbing":{"type":"boolean"},"data_residency_regions":{"type":"array","items":{"type":"string"}}},"additionalProperties":false};
const schema42 = {"type":"object","properties":{"otel_traces":{"type":"boolean"},"otel_metrics":{"type":"boolean"},"otlp_export":{"type":"boolean"}},"additionalProperties":false};
const schema38 = {"type":"object","properties":{"bearer":{"type":"boolean"},"api_key":{"type":"boolean"},"oauth2":{"type":"boolean"},"aws_sigv4":{"type":"boolean"},"vault":{"$ref":"#/$defs/VaultSupport"}},"additionalProperties":false};
const schema39 = {"type":"object","properties":{"supported":{"type":"boolean"},"providers":{"type":"array","items":{"type":"string","enum":["aws_secrets_manager","hashicorp_vault","azure_key_vault","gcp_secret_manager","1password"]}}},"additionalProperties":false};

function validate23(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate23.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(data && typeof data == "object" && !Array.isArray(data)){
for(const key0 of Object.keys(data)){
if(!(((((key0 === "bearer") || (key0 === "api_key")) || (key0 === "oauth2")) || (key0 === "aws_sigv4")) || (key0 === "vault"))){
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
if(data.bearer !== undefined && func0.call(data, "bearer")){
if(typeof data.bearer !== "boolean"){
const err1 = {instancePath:instancePath+"/bearer",schemaPath:"#/properties/bearer/type",keyword:"type",params:{type: "boolean"},message:"must be boolean"};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
}
if(data.api_key !== undefined && func0.call(data, "api_key")){
if(typeof data.api_key !== "boolean"){
const err2 = {instancePath:instancePath+"/api_key",schemaPath:"#/properties/api_key/type",keyword:"type",params:{type: "boolean"},message:"must be boolean"};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
}
if(data.oauth2 !== undefined && func0.call(data, "oauth2")){
if(typeof data.oauth2 !== "boolean"){
const err3 = {instancePath:instancePath+"/oauth2",schemaPath:"#/properties/oauth2/type",keyword:"type",params:{type: "boolean"},message:"must be boolean"};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
}
if(data.aws_sigv4 !== undefined && func0.call(data, "aws_sigv4")){
if(typeof data.aws_sigv4 !== "boolean"){
const err4 = {instancePath:instancePath+"/aws_sigv4",schemaPath:"#/properties/aws_sigv4/type",keyword:"type",params:{type: "boolean"},message:"must be boolean"};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
}
if(data.vault !== undefined && func0.call(data, "vault")){
let data4 = data.vault;
if(data4 && typeof data4 == "object" && !Array.isArray(data4)){
for(const key1 of Object.keys(data4)){
if(!((key1 === "supported") || (key1 === "providers"))){
const err5 = {instancePath:instancePath+"/vault",schemaPath:"#/$defs/VaultSupport/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key1},message:"must NOT have additional properties"};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
}
if(data4.supported !== undefined && func0.call(data4, "supported")){
if(typeof data4.supported !== "boolean"){
const err6 = {instancePath:instancePath+"/vault/supported",schemaPath:"#/$defs/VaultSupport/properties/supported/type",keyword:"type",params:{type: "boolean"},message:"must be boolean"};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
}
if(data4.providers !== undefined && func0.call(data4, "providers")){
let data6 = data4.providers;
if(Array.isArray(data6)){
const len0 = data6.length;
for(let i0=0; i0<len0; i0++){
let data7 = data6[i0];
if(typeof data7 !== "string"){
const err7 = {instancePath:instancePath+"/vault/providers/" + i0,schemaPath:"#/$defs/VaultSupport/properties/providers/items/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
if(!(((((data7 === "aws_secrets_manager") || (data7 === "hashicorp_vault")) || (data7 === "azure_key_vault")) || (data7 === "gcp_secret_manager")) || (data7 === "1password"))){
const err8 = {instancePath:instancePath+"/vault/providers/" + i0,schemaPath:"#/$defs/VaultSupport/properties/providers/items/enum",keyword:"enum",params:{allowedValues: schema39.properties.providers.items.enum},message:"must be equal to one of the allowed values"};
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
const err9 = {instancePath:instancePath+"/vault/providers",schemaPath:"#/$defs/VaultSupport/properties/providers/type",keyword:"type",params:{type: "array"},message:"must be array"};
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
const err10 = {instancePath:instancePath+"/vault",schemaPath:"#/$defs/VaultSupport/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
}
}
}
else {
const err11 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err11];
}
else {
vErrors.push(err11);
}
errors++;
}
validate23.errors = vErrors;
return errors === 0;
}
validate23.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};


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
for(const key0 of Object.keys(data)){
if(!((((((((key0 === "tool") || (key0 === "memory")) || (key0 === "model")) || (key0 === "orchestration")) || (key0 === "auth")) || (key0 === "state")) || (key0 === "compliance")) || (key0 === "telemetry"))){
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
if(data.tool !== undefined && func0.call(data, "tool")){
let data0 = data.tool;
if(data0 && typeof data0 == "object" && !Array.isArray(data0)){
for(const key1 of Object.keys(data0)){
if(!(((((key1 === "function") || (key1 === "mcp")) || (key1 === "http")) || (key1 === "openapi")) || (key1 === "parallel_calls"))){
const err1 = {instancePath:instancePath+"/tool",schemaPath:"#/$defs/ToolSupport/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key1},message:"must NOT have additional properties"};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
}
if(data0.function !== undefined && func0.call(data0, "function")){
if(typeof data0.function !== "boolean"){
const err2 = {instancePath:instancePath+"/tool/function",schemaPath:"#/$defs/ToolSupport/properties/function/type",keyword:"type",params:{type: "boolean"},message:"must be boolean"};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
}
if(data0.mcp !== undefined && func0.call(data0, "mcp")){
if(typeof data0.mcp !== "boolean"){
const err3 = {instancePath:instancePath+"/tool/mcp",schemaPath:"#/$defs/ToolSupport/properties/mcp/type",keyword:"type",params:{type: "boolean"},message:"must be boolean"};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
}
if(data0.http !== undefined && func0.call(data0, "http")){
if(typeof data0.http !== "boolean"){
const err4 = {instancePath:instancePath+"/tool/http",schemaPath:"#/$defs/ToolSupport/properties/http/type",keyword:"type",params:{type: "boolean"},message:"must be boolean"};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
}
if(data0.openapi !== undefined && func0.call(data0, "openapi")){
if(typeof data0.openapi !== "boolean"){
const err5 = {instancePath:instancePath+"/tool/openapi",schemaPath:"#/$defs/ToolSupport/properties/openapi/type",keyword:"type",params:{type: "boolean"},message:"must be boolean"};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
}
if(data0.parallel_calls !== undefined && func0.call(data0, "parallel_calls")){
if(typeof data0.parallel_calls !== "boolean"){
const err6 = {instancePath:instancePath+"/tool/parallel_calls",schemaPath:"#/$defs/ToolSupport/properties/parallel_calls/type",keyword:"type",params:{type: "boolean"},message:"must be boolean"};
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
const err7 = {instancePath:instancePath+"/tool",schemaPath:"#/$defs/ToolSupport/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
}
if(data.memory !== undefined && func0.call(data, "memory")){
let data6 = data.memory;
if(data6 && typeof data6 == "object" && !Array.isArray(data6)){
for(const key2 of Object.keys(data6)){
if(!(func0.call(schema35.properties, key2))){
const err8 = {instancePath:instancePath+"/memory",schemaPath:"#/$defs/MemorySupport/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key2},message:"must NOT have additional properties"};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
}
if(data6.in_memory !== undefined && func0.call(data6, "in_memory")){
if(typeof data6.in_memory !== "boolean"){
const err9 = {instancePath:instancePath+"/memory/in_memory",schemaPath:"#/$defs/MemorySupport/properties/in_memory/type",keyword:"type",params:{type: "boolean"},message:"must be boolean"};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
}
if(data6.redis !== undefined && func0.call(data6, "redis")){
if(typeof data6.redis !== "boolean"){
const err10 = {instancePath:instancePath+"/memory/redis",schemaPath:"#/$defs/MemorySupport/properties/redis/type",keyword:"type",params:{type: "boolean"},message:"must be boolean"};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
}
}
if(data6.postgres !== undefined && func0.call(data6, "postgres")){
if(typeof data6.postgres !== "boolean"){
const err11 = {instancePath:instancePath+"/memory/postgres",schemaPath:"#/$defs/MemorySupport/properties/postgres/type",keyword:"type",params:{type: "boolean"},message:"must be boolean"};
if(vErrors === null){
vErrors = [err11];
}
else {
vErrors.push(err11);
}
errors++;
}
}
if(data6.mongodb !== undefined && func0.call(data6, "mongodb")){
if(typeof data6.mongodb !== "boolean"){
const err12 = {instancePath:instancePath+"/memory/mongodb",schemaPath:"#/$defs/MemorySupport/properties/mongodb/type",keyword:"type",params:{type: "boolean"},message:"must be boolean"};
if(vErrors === null){
vErrors = [err12];
}
else {
vErrors.push(err12);
}
errors++;
}
}
if(data6.elasticsearch !== undefined && func0.call(data6, "elasticsearch")){
if(typeof data6.elasticsearch !== "boolean"){
const err13 = {instancePath:instancePath+"/memory/elasticsearch",schemaPath:"#/$defs/MemorySupport/properties/elasticsearch/type",keyword:"type",params:{type: "boolean"},message:"must be boolean"};
if(vErrors === null){
vErrors = [err13];
}
else {
vErrors.push(err13);
}
errors++;
}
}
if(data6.qdrant !== undefined && func0.call(data6, "qdrant")){
if(typeof data6.qdrant !== "boolean"){
const err14 = {instancePath:instancePath+"/memory/qdrant",schemaPath:"#/$defs/MemorySupport/properties/qdrant/type",keyword:"type",params:{type: "boolean"},message:"must be boolean"};
if(vErrors === null){
vErrors = [err14];
}
else {
vErrors.push(err14);
}
errors++;
}
}
if(data6.pinecone !== undefined && func0.call(data6, "pinecone")){
if(typeof data6.pinecone !== "boolean"){
const err15 = {instancePath:instancePath+"/memory/pinecone",schemaPath:"#/$defs/MemorySupport/properties/pinecone/type",keyword:"type",params:{type: "boolean"},message:"must be boolean"};
if(vErrors === null){
vErrors = [err15];
}
else {
vErrors.push(err15);
}
errors++;
}
}
if(data6.chroma !== undefined && func0.call(data6, "chroma")){
if(typeof data6.chroma !== "boolean"){
const err16 = {instancePath:instancePath+"/memory/chroma",schemaPath:"#/$defs/MemorySupport/properties/chroma/type",keyword:"type",params:{type: "boolean"},message:"must be boolean"};
if(vErrors === null){
vErrors = [err16];
}
else {
vErrors.push(err16);
}
errors++;
}
}
if(data6.vector !== undefined && func0.call(data6, "vector")){
if(typeof data6.vector !== "boolean"){
const err17 = {instancePath:instancePath+"/memory/vector",schemaPath:"#/$defs/MemorySupport/properties/vector/type",keyword:"type",params:{type: "boolean"},message:"must be boolean"};
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
const err18 = {instancePath:instancePath+"/memory",schemaPath:"#/$defs/MemorySupport/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err18];
}
else {
vErrors.push(err18);
}
errors++;
}
}
if(data.model !== undefined && func0.call(data, "model")){
let data16 = data.model;
if(data16 && typeof data16 == "object" && !Array.isArray(data16)){
for(const key3 of Object.keys(data16)){
if(!(((((((key3 === "providers") || (key3 === "routing_strategies")) || (key3 === "fallback")) || (key3 === "streaming")) || (key3 === "function_calling")) || (key3 === "structured_output")) || (key3 === "vision"))){
const err19 = {instancePath:instancePath+"/model",schemaPath:"#/$defs/ModelSupport/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key3},message:"must NOT have additional properties"};
if(vErrors === null){
vErrors = [err19];
}
else {
vErrors.push(err19);
}
errors++;
}
}
if(data16.providers !== undefined && func0.call(data16, "providers")){
let data17 = data16.providers;
if(Array.isArray(data17)){
const len0 = data17.length;
for(let i0=0; i0<len0; i0++){
if(typeof data17[i0] !== "string"){
const err20 = {instancePath:instancePath+"/model/providers/" + i0,schemaPath:"#/$defs/ModelSupport/properties/providers/items/type",keyword:"type",params:{type: "string"},message:"must be string"};
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
const err21 = {instancePath:instancePath+"/model/providers",schemaPath:"#/$defs/ModelSupport/properties/providers/type",keyword:"type",params:{type: "array"},message:"must be array"};
if(vErrors === null){
vErrors = [err21];
}
else {
vErrors.push(err21);
}
errors++;
}
}
if(data16.routing_strategies !== undefined && func0.call(data16, "routing_strategies")){
let data19 = data16.routing_strategies;
if(Array.isArray(data19)){
const len1 = data19.length;
for(let i1=0; i1<len1; i1++){
let data20 = data19[i1];
if(typeof data20 !== "string"){
const err22 = {instancePath:instancePath+"/model/routing_strategies/" + i1,schemaPath:"#/$defs/ModelSupport/properties/routing_strategies/items/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err22];
}
else {
vErrors.push(err22);
}
errors++;
}
if(!((((data20 === "cost") || (data20 === "latency")) || (data20 === "quality")) || (data20 === "round_robin"))){
const err23 = {instancePath:instancePath+"/model/routing_strategies/" + i1,schemaPath:"#/$defs/ModelSupport/properties/routing_strategies/items/enum",keyword:"enum",params:{allowedValues: schema36.properties.routing_strategies.items.enum},message:"must be equal to one of the allowed values"};
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
const err24 = {instancePath:instancePath+"/model/routing_strategies",schemaPath:"#/$defs/ModelSupport/properties/routing_strategies/type",keyword:"type",params:{type: "array"},message:"must be array"};
if(vErrors === null){
vErrors = [err24];
}
else {
vErrors.push(err24);
}
errors++;
}
}
if(data16.fallback !== undefined && func0.call(data16, "fallback")){
if(typeof data16.fallback !== "boolean"){
const err25 = {instancePath:instancePath+"/model/fallback",schemaPath:"#/$defs/ModelSupport/properties/fallback/type",keyword:"type",params:{type: "boolean"},message:"must be boolean"};
if(vErrors === null){
vErrors = [err25];
}
else {
vErrors.push(err25);
}
errors++;
}
}
if(data16.streaming !== undefined && func0.call(data16, "streaming")){
if(typeof data16.streaming !== "boolean"){
const err26 = {instancePath:instancePath+"/model/streaming",schemaPath:"#/$defs/ModelSupport/properties/streaming/type",keyword:"type",params:{type: "boolean"},message:"must be boolean"};
if(vErrors === null){
vErrors = [err26];
}
else {
vErrors.push(err26);
}
errors++;
}
}
if(data16.function_calling !== undefined && func0.call(data16, "function_calling")){
if(typeof data16.function_calling !== "boolean"){
const err27 = {instancePath:instancePath+"/model/function_calling",schemaPath:"#/$defs/ModelSupport/properties/function_calling/type",keyword:"type",params:{type: "boolean"},message:"must be boolean"};
if(vErrors === null){
vErrors = [err27];
}
else {
vErrors.push(err27);
}
errors++;
}
}
if(data16.structured_output !== undefined && func0.call(data16, "structured_output")){
if(typeof data16.structured_output !== "boolean"){
const err28 = {instancePath:instancePath+"/model/structured_output",schemaPath:"#/$defs/ModelSupport/properties/structured_output/type",keyword:"type",params:{type: "boolean"},message:"must be boolean"};
if(vErrors === null){
vErrors = [err28];
}
else {
vErrors.push(err28);
}
errors++;
}
}
if(data16.vision !== undefined && func0.call(data16, "vision")){
if(typeof data16.vision !== "boolean"){
const err29 = {instancePath:instancePath+"/model/vision",schemaPath:"#/$defs/ModelSupport/properties/vision/type",keyword:"type",params:{type: "boolean"},message:"must be boolean"};
if(vErrors === null){
vErrors = [err29];
}
else {
vErrors.push(err29);
}
errors++;
}
}
}
else {
const err30 = {instancePath:instancePath+"/model",schemaPath:"#/$defs/ModelSupport/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err30];
}
else {
vErrors.push(err30);
}
errors++;
}
}
if(data.orchestration !== undefined && func0.call(data, "orchestration")){
let data26 = data.orchestration;
if(data26 && typeof data26 == "object" && !Array.isArray(data26)){
for(const key4 of Object.keys(data26)){
if(!(((((((key4 === "pipeline") || (key4 === "parallel")) || (key4 === "dynamic_routing")) || (key4 === "handoff")) || (key4 === "consensus")) || (key4 === "max_subagents")) || (key4 === "condition_languages"))){
const err31 = {instancePath:instancePath+"/orchestration",schemaPath:"#/$defs/OrchestrationSupport/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key4},message:"must NOT have additional properties"};
if(vErrors === null){
vErrors = [err31];
}
else {
vErrors.push(err31);
}
errors++;
}
}
if(data26.pipeline !== undefined && func0.call(data26, "pipeline")){
if(typeof data26.pipeline !== "boolean"){
const err32 = {instancePath:instancePath+"/orchestration/pipeline",schemaPath:"#/$defs/OrchestrationSupport/properties/pipeline/type",keyword:"type",params:{type: "boolean"},message:"must be boolean"};
if(vErrors === null){
vErrors = [err32];
}
else {
vErrors.push(err32);
}
errors++;
}
}
if(data26.parallel !== undefined && func0.call(data26, "parallel")){
if(typeof data26.parallel !== "boolean"){
const err33 = {instancePath:instancePath+"/orchestration/parallel",schemaPath:"#/$defs/OrchestrationSupport/properties/parallel/type",keyword:"type",params:{type: "boolean"},message:"must be boolean"};
if(vErrors === null){
vErrors = [err33];
}
else {
vErrors.push(err33);
}
errors++;
}
}
if(data26.dynamic_routing !== undefined && func0.call(data26, "dynamic_routing")){
if(typeof data26.dynamic_routing !== "boolean"){
const err34 = {instancePath:instancePath+"/orchestration/dynamic_routing",schemaPath:"#/$defs/OrchestrationSupport/properties/dynamic_routing/type",keyword:"type",params:{type: "boolean"},message:"must be boolean"};
if(vErrors === null){
vErrors = [err34];
}
else {
vErrors.push(err34);
}
errors++;
}
}
if(data26.handoff !== undefined && func0.call(data26, "handoff")){
if(typeof data26.handoff !== "boolean"){
const err35 = {instancePath:instancePath+"/orchestration/handoff",schemaPath:"#/$defs/OrchestrationSupport/properties/handoff/type",keyword:"type",params:{type: "boolean"},message:"must be boolean"};
if(vErrors === null){
vErrors = [err35];
}
else {
vErrors.push(err35);
}
errors++;
}
}
if(data26.consensus !== undefined && func0.call(data26, "consensus")){
if(typeof data26.consensus !== "boolean"){
const err36 = {instancePath:instancePath+"/orchestration/consensus",schemaPath:"#/$defs/OrchestrationSupport/properties/consensus/type",keyword:"type",params:{type: "boolean"},message:"must be boolean"};
if(vErrors === null){
vErrors = [err36];
}
else {
vErrors.push(err36);
}
errors++;
}
}
if(data26.max_subagents !== undefined && func0.call(data26, "max_subagents")){
let data32 = data26.max_subagents;
if(!(((typeof data32 == "number") && (!(data32 % 1) && !isNaN(data32))) && (isFinite(data32)))){
const err37 = {instancePath:instancePath+"/orchestration/max_subagents",schemaPath:"#/$defs/OrchestrationSupport/properties/max_subagents/type",keyword:"type",params:{type: "integer"},message:"must be integer"};
if(vErrors === null){
vErrors = [err37];
}
else {
vErrors.push(err37);
}
errors++;
}
if((typeof data32 == "number") && (isFinite(data32))){
if(data32 < 1 || isNaN(data32)){
const err38 = {instancePath:instancePath+"/orchestration/max_subagents",schemaPath:"#/$defs/OrchestrationSupport/properties/max_subagents/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1},message:"must be >= 1"};
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
if(data26.condition_languages !== undefined && func0.call(data26, "condition_languages")){
let data33 = data26.condition_languages;
if(Array.isArray(data33)){
const len2 = data33.length;
for(let i2=0; i2<len2; i2++){
let data34 = data33[i2];
if(typeof data34 !== "string"){
const err39 = {instancePath:instancePath+"/orchestration/condition_languages/" + i2,schemaPath:"#/$defs/OrchestrationSupport/properties/condition_languages/items/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err39];
}
else {
vErrors.push(err39);
}
errors++;
}
if(!((((((data34 === "jsonpath") || (data34 === "jmespath")) || (data34 === "cel")) || (data34 === "jsonlogic")) || (data34 === "always")) || (data34 === "never"))){
const err40 = {instancePath:instancePath+"/orchestration/condition_languages/" + i2,schemaPath:"#/$defs/OrchestrationSupport/properties/condition_languages/items/enum",keyword:"enum",params:{allowedValues: schema37.properties.condition_languages.items.enum},message:"must be equal to one of the allowed values"};
if(vErrors === null){
vErrors = [err40];
}
else {
vErrors.push(err40);
}
errors++;
}
}
let i3 = data33.length;
let j0;
if(i3 > 1){
const indices0 = {};
for(;i3--;){
let item0 = data33[i3];
if(typeof item0 !== "string"){
continue;
}
if(typeof indices0[item0] == "number"){
j0 = indices0[item0];
const err41 = {instancePath:instancePath+"/orchestration/condition_languages",schemaPath:"#/$defs/OrchestrationSupport/properties/condition_languages/uniqueItems",keyword:"uniqueItems",params:{i: i3, j: j0},message:"must NOT have duplicate items (items ## "+j0+" and "+i3+" are identical)"};
if(vErrors === null){
vErrors = [err41];
}
else {
vErrors.push(err41);
}
errors++;
break;
}
indices0[item0] = i3;
}
}
}
else {
const err42 = {instancePath:instancePath+"/orchestration/condition_languages",schemaPath:"#/$defs/OrchestrationSupport/properties/condition_languages/type",keyword:"type",params:{type: "array"},message:"must be array"};
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
const err43 = {instancePath:instancePath+"/orchestration",schemaPath:"#/$defs/OrchestrationSupport/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err43];
}
else {
vErrors.push(err43);
}
errors++;
}
}
if(data.auth !== undefined && func0.call(data, "auth")){
if(!(validate23(data.auth, {instancePath:instancePath+"/auth",parentData:data,parentDataProperty:"auth",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate23.errors : vErrors.concat(validate23.errors);
errors = vErrors.length;
}
}
if(data.state !== undefined && func0.call(data, "state")){
let data36 = data.state;
if(data36 && typeof data36 == "object" && !Array.isArray(data36)){
for(const key5 of Object.keys(data36)){
if(!((((key5 === "checkpoint") || (key5 === "live_migration")) || (key5 === "streaming_handoff")) || (key5 === "max_conversation_tokens"))){
const err44 = {instancePath:instancePath+"/state",schemaPath:"#/$defs/StateSupport/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key5},message:"must NOT have additional properties"};
if(vErrors === null){
vErrors = [err44];
}
else {
vErrors.push(err44);
}
errors++;
}
}
if(data36.checkpoint !== undefined && func0.call(data36, "checkpoint")){
if(typeof data36.checkpoint !== "boolean"){
const err45 = {instancePath:instancePath+"/state/checkpoint",schemaPath:"#/$defs/StateSupport/properties/checkpoint/type",keyword:"type",params:{type: "boolean"},message:"must be boolean"};
if(vErrors === null){
vErrors = [err45];
}
else {
vErrors.push(err45);
}
errors++;
}
}
if(data36.live_migration !== undefined && func0.call(data36, "live_migration")){
if(typeof data36.live_migration !== "boolean"){
const err46 = {instancePath:instancePath+"/state/live_migration",schemaPath:"#/$defs/StateSupport/properties/live_migration/type",keyword:"type",params:{type: "boolean"},message:"must be boolean"};
if(vErrors === null){
vErrors = [err46];
}
else {
vErrors.push(err46);
}
errors++;
}
}
if(data36.streaming_handoff !== undefined && func0.call(data36, "streaming_handoff")){
if(typeof data36.streaming_handoff !== "boolean"){
const err47 = {instancePath:instancePath+"/state/streaming_handoff",schemaPath:"#/$defs/StateSupport/properties/streaming_handoff/type",keyword:"type",params:{type: "boolean"},message:"must be boolean"};
if(vErrors === null){
vErrors = [err47];
}
else {
vErrors.push(err47);
}
errors++;
}
}
if(data36.max_conversation_tokens !== undefined && func0.call(data36, "max_conversation_tokens")){
let data40 = data36.max_conversation_tokens;
if(!(((typeof data40 == "number") && (!(data40 % 1) && !isNaN(data40))) && (isFinite(data40)))){
const err48 = {instancePath:instancePath+"/state/max_conversation_tokens",schemaPath:"#/$defs/StateSupport/properties/max_conversation_tokens/type",keyword:"type",params:{type: "integer"},message:"must be integer"};
if(vErrors === null){
vErrors = [err48];
}
else {
vErrors.push(err48);
}
errors++;
}
if((typeof data40 == "number") && (isFinite(data40))){
if(data40 < 0 || isNaN(data40)){
const err49 = {instancePath:instancePath+"/state/max_conversation_tokens",schemaPath:"#/$defs/StateSupport/properties/max_conversation_tokens/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"};
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
}
else {
const err50 = {instancePath:instancePath+"/state",schemaPath:"#/$defs/StateSupport/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err50];
}
else {
vErrors.push(err50);
}
errors++;
}
}
if(data.compliance !== undefined && func0.call(data, "compliance")){
let data41 = data.compliance;
if(data41 && typeof data41 == "object" && !Array.isArray(data41)){
for(const key6 of Object.keys(data41)){
if(!((((key6 === "human_in_the_loop") || (key6 === "audit_log")) || (key6 === "pii_scrubbing")) || (key6 === "data_residency_regions"))){
const err51 = {instancePath:instancePath+"/compliance",schemaPath:"#/$defs/ComplianceSupport/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key6},message:"must NOT have additional properties"};
if(vErrors === null){
vErrors = [err51];
}
else {
vErrors.push(err51);
}
errors++;
}
}
if(data41.human_in_the_loop !== undefined && func0.call(data41, "human_in_the_loop")){
if(typeof data41.human_in_the_loop !== "boolean"){
const err52 = {instancePath:instancePath+"/compliance/human_in_the_loop",schemaPath:"#/$defs/ComplianceSupport/properties/human_in_the_loop/type",keyword:"type",params:{type: "boolean"},message:"must be boolean"};
if(vErrors === null){
vErrors = [err52];
}
else {
vErrors.push(err52);
}
errors++;
}
}
if(data41.audit_log !== undefined && func0.call(data41, "audit_log")){
if(typeof data41.audit_log !== "boolean"){
const err53 = {instancePath:instancePath+"/compliance/audit_log",schemaPath:"#/$defs/ComplianceSupport/properties/audit_log/type",keyword:"type",params:{type: "boolean"},message:"must be boolean"};
if(vErrors === null){
vErrors = [err53];
}
else {
vErrors.push(err53);
}
errors++;
}
}
if(data41.pii_scrubbing !== undefined && func0.call(data41, "pii_scrubbing")){
if(typeof data41.pii_scrubbing !== "boolean"){
const err54 = {instancePath:instancePath+"/compliance/pii_scrubbing",schemaPath:"#/$defs/ComplianceSupport/properties/pii_scrubbing/type",keyword:"type",params:{type: "boolean"},message:"must be boolean"};
if(vErrors === null){
vErrors = [err54];
}
else {
vErrors.push(err54);
}
errors++;
}
}
if(data41.data_residency_regions !== undefined && func0.call(data41, "data_residency_regions")){
let data45 = data41.data_residency_regions;
if(Array.isArray(data45)){
const len3 = data45.length;
for(let i4=0; i4<len3; i4++){
if(typeof data45[i4] !== "string"){
const err55 = {instancePath:instancePath+"/compliance/data_residency_regions/" + i4,schemaPath:"#/$defs/ComplianceSupport/properties/data_residency_regions/items/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err55];
}
else {
vErrors.push(err55);
}
errors++;
}
}
}
else {
const err56 = {instancePath:instancePath+"/compliance/data_residency_regions",schemaPath:"#/$defs/ComplianceSupport/properties/data_residency_regions/type",keyword:"type",params:{type: "array"},message:"must be array"};
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
const err57 = {instancePath:instancePath+"/compliance",schemaPath:"#/$defs/ComplianceSupport/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err57];
}
else {
vErrors.push(err57);
}
errors++;
}
}
if(data.telemetry !== undefined && func0.call(data, "telemetry")){
let data47 = data.telemetry;
if(data47 && typeof data47 == "object" && !Array.isArray(data47)){
for(const key7 of Object.keys(data47)){
if(!(((key7 === "otel_traces") || (key7 === "otel_metrics")) || (key7 === "otlp_export"))){
const err58 = {instancePath:instancePath+"/telemetry",schemaPath:"#/$defs/TelemetrySupport/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key7},message:"must NOT have additional properties"};
if(vErrors === null){
vErrors = [err58];
}
else {
vErrors.push(err58);
}
errors++;
}
}
if(data47.otel_traces !== undefined && func0.call(data47, "otel_traces")){
if(typeof data47.otel_traces !== "boolean"){
const err59 = {instancePath:instancePath+"/telemetry/otel_traces",schemaPath:"#/$defs/TelemetrySupport/properties/otel_traces/type",keyword:"type",params:{type: "boolean"},message:"must be boolean"};
if(vErrors === null){
vErrors = [err59];
}
else {
vErrors.push(err59);
}
errors++;
}
}
if(data47.otel_metrics !== undefined && func0.call(data47, "otel_metrics")){
if(typeof data47.otel_metrics !== "boolean"){
const err60 = {instancePath:instancePath+"/telemetry/otel_metrics",schemaPath:"#/$defs/TelemetrySupport/properties/otel_metrics/type",keyword:"type",params:{type: "boolean"},message:"must be boolean"};
if(vErrors === null){
vErrors = [err60];
}
else {
vErrors.push(err60);
}
errors++;
}
}
if(data47.otlp_export !== undefined && func0.call(data47, "otlp_export")){
if(typeof data47.otlp_export !== "boolean"){
const err61 = {instancePath:instancePath+"/telemetry/otlp_export",schemaPath:"#/$defs/TelemetrySupport/properties/otlp_export/type",keyword:"type",params:{type: "boolean"},message:"must be boolean"};
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
const err62 = {instancePath:instancePath+"/telemetry",schemaPath:"#/$defs/TelemetrySupport/type",keyword:"type",params:{type: "object"},message:"must be object"};
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
const err63 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err63];
}
else {
vErrors.push(err63);
}
errors++;
}
validate22.errors = vErrors;
return errors === 0;
}
validate22.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};


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
if((data.version === undefined) || (!(func0.call(data, "version")))){
const err1 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "version"},message:"must have required property '"+"version"+"'"};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
if((data.aaif_conformance_level === undefined) || (!(func0.call(data, "aaif_conformance_level")))){
const err2 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "aaif_conformance_level"},message:"must have required property '"+"aaif_conformance_level"+"'"};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
for(const key0 of Object.keys(data)){
if(!(func0.call(schema32.properties, key0))){
const err3 = {instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
}
if(data.name !== undefined && func0.call(data, "name")){
let data0 = data.name;
if(typeof data0 === "string"){
if(func72(data0) < 1){
const err4 = {instancePath:instancePath+"/name",schemaPath:"#/properties/name/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"};
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
const err5 = {instancePath:instancePath+"/name",schemaPath:"#/properties/name/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
}
if(data.version !== undefined && func0.call(data, "version")){
if(typeof data.version !== "string"){
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
if(data.vendor !== undefined && func0.call(data, "vendor")){
if(typeof data.vendor !== "string"){
const err7 = {instancePath:instancePath+"/vendor",schemaPath:"#/properties/vendor/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
}
if(data.manifest_url !== undefined && func0.call(data, "manifest_url")){
if(typeof data.manifest_url !== "string"){
const err8 = {instancePath:instancePath+"/manifest_url",schemaPath:"#/properties/manifest_url/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
}
if(data.aaif_conformance_level !== undefined && func0.call(data, "aaif_conformance_level")){
let data4 = data.aaif_conformance_level;
if(typeof data4 !== "string"){
const err9 = {instancePath:instancePath+"/aaif_conformance_level",schemaPath:"#/properties/aaif_conformance_level/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
if(!(((((((data4 === "Core") || (data4 === "Tooled")) || (data4 === "Portable")) || (data4 === "Multi-agent")) || (data4 === "Observable")) || (data4 === "Enterprise")) || (data4 === "Stateful"))){
const err10 = {instancePath:instancePath+"/aaif_conformance_level",schemaPath:"#/properties/aaif_conformance_level/enum",keyword:"enum",params:{allowedValues: schema32.properties.aaif_conformance_level.enum},message:"must be equal to one of the allowed values"};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
}
}
if(data.aaif_versions_supported !== undefined && func0.call(data, "aaif_versions_supported")){
let data5 = data.aaif_versions_supported;
if(Array.isArray(data5)){
if(data5.length < 1){
const err11 = {instancePath:instancePath+"/aaif_versions_supported",schemaPath:"#/properties/aaif_versions_supported/minItems",keyword:"minItems",params:{limit: 1},message:"must NOT have fewer than 1 items"};
if(vErrors === null){
vErrors = [err11];
}
else {
vErrors.push(err11);
}
errors++;
}
const len0 = data5.length;
for(let i0=0; i0<len0; i0++){
let data6 = data5[i0];
if(typeof data6 === "string"){
if(!pattern5.test(data6)){
const err12 = {instancePath:instancePath+"/aaif_versions_supported/" + i0,schemaPath:"#/properties/aaif_versions_supported/items/pattern",keyword:"pattern",params:{pattern: "^\\d+\\.\\d+\\.\\d+$"},message:"must match pattern \""+"^\\d+\\.\\d+\\.\\d+$"+"\""};
if(vErrors === null){
vErrors = [err12];
}
else {
vErrors.push(err12);
}
errors++;
}
}
else {
const err13 = {instancePath:instancePath+"/aaif_versions_supported/" + i0,schemaPath:"#/properties/aaif_versions_supported/items/type",keyword:"type",params:{type: "string"},message:"must be string"};
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
const err14 = {instancePath:instancePath+"/aaif_versions_supported",schemaPath:"#/properties/aaif_versions_supported/type",keyword:"type",params:{type: "array"},message:"must be array"};
if(vErrors === null){
vErrors = [err14];
}
else {
vErrors.push(err14);
}
errors++;
}
}
if(data.capabilities !== undefined && func0.call(data, "capabilities")){
if(!(validate22(data.capabilities, {instancePath:instancePath+"/capabilities",parentData:data,parentDataProperty:"capabilities",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate22.errors : vErrors.concat(validate22.errors);
errors = vErrors.length;
}
}
if(data.intake_endpoint !== undefined && func0.call(data, "intake_endpoint")){
let data8 = data.intake_endpoint;
if(data8 && typeof data8 == "object" && !Array.isArray(data8)){
for(const key1 of Object.keys(data8)){
if(!(((((key1 === "url") || (key1 === "method")) || (key1 === "auth_scheme")) || (key1 === "content_type")) || (key1 === "max_body_bytes"))){
const err15 = {instancePath:instancePath+"/intake_endpoint",schemaPath:"#/$defs/IntakeEndpoint/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key1},message:"must NOT have additional properties"};
if(vErrors === null){
vErrors = [err15];
}
else {
vErrors.push(err15);
}
errors++;
}
}
if(data8.url !== undefined && func0.call(data8, "url")){
if(typeof data8.url !== "string"){
const err16 = {instancePath:instancePath+"/intake_endpoint/url",schemaPath:"#/$defs/IntakeEndpoint/properties/url/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err16];
}
else {
vErrors.push(err16);
}
errors++;
}
}
if(data8.method !== undefined && func0.call(data8, "method")){
let data10 = data8.method;
if(typeof data10 !== "string"){
const err17 = {instancePath:instancePath+"/intake_endpoint/method",schemaPath:"#/$defs/IntakeEndpoint/properties/method/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err17];
}
else {
vErrors.push(err17);
}
errors++;
}
if(!((data10 === "POST") || (data10 === "PUT"))){
const err18 = {instancePath:instancePath+"/intake_endpoint/method",schemaPath:"#/$defs/IntakeEndpoint/properties/method/enum",keyword:"enum",params:{allowedValues: schema43.properties.method.enum},message:"must be equal to one of the allowed values"};
if(vErrors === null){
vErrors = [err18];
}
else {
vErrors.push(err18);
}
errors++;
}
}
if(data8.auth_scheme !== undefined && func0.call(data8, "auth_scheme")){
let data11 = data8.auth_scheme;
if(typeof data11 !== "string"){
const err19 = {instancePath:instancePath+"/intake_endpoint/auth_scheme",schemaPath:"#/$defs/IntakeEndpoint/properties/auth_scheme/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err19];
}
else {
vErrors.push(err19);
}
errors++;
}
if(!(((data11 === "bearer") || (data11 === "api_key")) || (data11 === "none"))){
const err20 = {instancePath:instancePath+"/intake_endpoint/auth_scheme",schemaPath:"#/$defs/IntakeEndpoint/properties/auth_scheme/enum",keyword:"enum",params:{allowedValues: schema43.properties.auth_scheme.enum},message:"must be equal to one of the allowed values"};
if(vErrors === null){
vErrors = [err20];
}
else {
vErrors.push(err20);
}
errors++;
}
}
if(data8.content_type !== undefined && func0.call(data8, "content_type")){
if(typeof data8.content_type !== "string"){
const err21 = {instancePath:instancePath+"/intake_endpoint/content_type",schemaPath:"#/$defs/IntakeEndpoint/properties/content_type/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err21];
}
else {
vErrors.push(err21);
}
errors++;
}
}
if(data8.max_body_bytes !== undefined && func0.call(data8, "max_body_bytes")){
let data13 = data8.max_body_bytes;
if(!(((typeof data13 == "number") && (!(data13 % 1) && !isNaN(data13))) && (isFinite(data13)))){
const err22 = {instancePath:instancePath+"/intake_endpoint/max_body_bytes",schemaPath:"#/$defs/IntakeEndpoint/properties/max_body_bytes/type",keyword:"type",params:{type: "integer"},message:"must be integer"};
if(vErrors === null){
vErrors = [err22];
}
else {
vErrors.push(err22);
}
errors++;
}
if((typeof data13 == "number") && (isFinite(data13))){
if(data13 < 0 || isNaN(data13)){
const err23 = {instancePath:instancePath+"/intake_endpoint/max_body_bytes",schemaPath:"#/$defs/IntakeEndpoint/properties/max_body_bytes/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"};
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
}
else {
const err24 = {instancePath:instancePath+"/intake_endpoint",schemaPath:"#/$defs/IntakeEndpoint/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err24];
}
else {
vErrors.push(err24);
}
errors++;
}
}
if(data.manifest_issued_at !== undefined && func0.call(data, "manifest_issued_at")){
if(typeof data.manifest_issued_at !== "string"){
const err25 = {instancePath:instancePath+"/manifest_issued_at",schemaPath:"#/properties/manifest_issued_at/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err25];
}
else {
vErrors.push(err25);
}
errors++;
}
}
if(data.manifest_expires_at !== undefined && func0.call(data, "manifest_expires_at")){
if(typeof data.manifest_expires_at !== "string"){
const err26 = {instancePath:instancePath+"/manifest_expires_at",schemaPath:"#/properties/manifest_expires_at/type",keyword:"type",params:{type: "string"},message:"must be string"};
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
const err27 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err27];
}
else {
vErrors.push(err27);
}
errors++;
}
validate21.errors = vErrors;
return errors === 0;
}
validate21.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};


function validate20(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
/*# sourceURL="urn:waybill:schema:aaif:manifest:3.4.0" */;
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
if((data.sc_version === undefined) || (!(func0.call(data, "sc_version")))){
const err1 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "sc_version"},message:"must have required property '"+"sc_version"+"'"};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
if((data.platform === undefined) || (!(func0.call(data, "platform")))){
const err2 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "platform"},message:"must have required property '"+"platform"+"'"};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
for(const key0 of Object.keys(data)){
if(!(((((key0 === "_comment") || (key0 === "sc_standard")) || (key0 === "sc_version")) || (key0 === "platform")) || (pattern4.test(key0)))){
const err3 = {instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
}
if(data._comment !== undefined && func0.call(data, "_comment")){
if(typeof data._comment !== "string"){
const err4 = {instancePath:instancePath+"/_comment",schemaPath:"#/properties/_comment/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
}
if(data.sc_standard !== undefined && func0.call(data, "sc_standard")){
if("SC-006" !== data.sc_standard){
const err5 = {instancePath:instancePath+"/sc_standard",schemaPath:"#/properties/sc_standard/const",keyword:"const",params:{allowedValue: "SC-006"},message:"must be equal to constant"};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
}
if(data.sc_version !== undefined && func0.call(data, "sc_version")){
let data2 = data.sc_version;
if(typeof data2 === "string"){
if(!pattern5.test(data2)){
const err6 = {instancePath:instancePath+"/sc_version",schemaPath:"#/properties/sc_version/pattern",keyword:"pattern",params:{pattern: "^\\d+\\.\\d+\\.\\d+$"},message:"must match pattern \""+"^\\d+\\.\\d+\\.\\d+$"+"\""};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
}
else {
const err7 = {instancePath:instancePath+"/sc_version",schemaPath:"#/properties/sc_version/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
}
if(data.platform !== undefined && func0.call(data, "platform")){
if(!(validate21(data.platform, {instancePath:instancePath+"/platform",parentData:data,parentDataProperty:"platform",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate21.errors : vErrors.concat(validate21.errors);
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
validate20.errors = vErrors;
return errors === 0;
}
validate20.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};
