// Generated from src/spec/aah/artifact-envelope.schema.ts by `npm run generate`. Do not edit.
"use strict";
export const validate = validate20;
export default validate20;
const schema31 = {"$schema":"https://json-schema.org/draft/2020-12/schema","type":"object","required":["aah_version","artifact","source"],"properties":{"aah_version":{"type":"string"},"artifact":{"$ref":"#/$defs/Artifact"},"source":{"$ref":"#/$defs/Source"},"content":{"$ref":"#/$defs/Content"},"sections":{"type":"array","items":{"$ref":"#/$defs/Section"}},"section_update":{"$ref":"#/$defs/SectionUpdate"},"lifecycle":{"$ref":"#/$defs/Lifecycle"},"handoff":{"$ref":"#/$defs/Routing"},"extensions":{"type":"object"}},"allOf":[{"if":{"not":{"anyOf":[{"required":["sections"]},{"required":["section_update"]}]}},"then":{"required":["content"]}},{"if":{"not":{"anyOf":[{"required":["section_update"]}]}},"then":{"properties":{"artifact":{"required":["type","created_at"]}}}}],"not":{"required":["content","sections"]},"$defs":{"Artifact":{"type":"object","required":["id"],"properties":{"id":{"type":"string","minLength":1},"type":{"type":"string"},"title":{"type":"string"},"summary":{"type":"string","maxLength":500},"initiative":{"type":"string"},"version":{"type":"integer","minimum":1},"version_id":{"type":"string"},"previous_version_id":{"type":"string"},"created_at":{"type":"string"},"updated_at":{"type":"string"}}},"Source":{"type":"object","required":["agent_id"],"properties":{"agent_id":{"type":"string"},"agent_name":{"type":"string"},"agent_role":{"type":"string"},"framework":{"type":"string"},"framework_version":{"type":"string"},"session_id":{"type":"string"},"task_id":{"type":"string"},"task_description":{"type":"string"},"model":{"type":"string"},"organization_id":{"type":"string"}}},"Content":{"type":"object","required":["media_type"],"properties":{"media_type":{"type":"string"},"encoding":{"type":"string"},"body":{"type":["string","object"]},"body_url":{"type":"string"},"body_hash":{"type":"string","pattern":"^(?:[sS][hH][aA]256:)?[0-9a-fA-F]{64}$"},"size_bytes":{"type":"integer","minimum":0},"token_count":{"type":"integer","minimum":0}},"allOf":[{"if":{"not":{"anyOf":[{"required":["body_url"]}]}},"then":{"required":["body"]}},{"if":{"required":["media_type"],"properties":{"media_type":{"const":"application/vnd.aah.structured+json"}}},"then":{"properties":{"body":{"required":["schema","data"],"properties":{"schema":{"type":"string","description":"Which schema the data follows, e.g. aah:analysis/competitor (§5).","minLength":1},"data":{"description":"The data (§5)."}}}}}},{"if":{"not":{"required":["media_type"],"properties":{"media_type":{"const":"application/vnd.aah.structured+json"}}}},"then":{"properties":{"body":{"type":"string"}}}}]},"Section":{"type":"object","required":["id","heading","content","agent_id","created_at","updated_at"],"properties":{"id":{"type":"string","pattern":"^[a-z0-9-]+$"},"heading":{"type":"string"},"content":{"type":"string"},"agent_id":{"type":"string"},"agent_name":{"type":"string"},"position":{"type":"integer","minimum":0},"created_at":{"type":"string"},"updated_at":{"type":"string"},"version":{"type":"integer","minimum":0},"type":{"type":"string"},"status":{"type":"string","enum":["draft","needs_approval","approved","needs_changes"]},"approval_requested_at":{"type":"string"},"approval_requested_by":{"type":"string"},"approval_note":{"type":"string"},"decided_at":{"type":"string"},"decided_by":{"type":"string"},"decision_note":{"type":"string"}},"if":{"required":["type"],"properties":{"type":{"const":"task"}}},"then":{"$ref":"#/$defs/TaskFields"}},"TaskFields":{"type":"object","properties":{"task_status":{"type":"string","enum":["pending","in_progress","blocked","done"]},"priority":{"type":"integer","minimum":1,"maximum":3},"assignee_agent_id":{"type":"string"},"source_section_id":{"type":"string"},"started_at":{"type":"string"},"completed_at":{"type":"string"},"output_url":{"type":"string"},"output_type":{"type":"string","enum":["pr","doc","artifact","deployment"]}}},"SectionUpdate":{"type":"object","required":["id","content"],"properties":{"id":{"type":"string","pattern":"^[a-z0-9-]+$"},"heading":{"type":"string"},"content":{"type":"string"},"change_note":{"type":"string"}}},"Lifecycle":{"type":"object","properties":{"retention":{"type":"string","enum":["ephemeral","7d","30d","90d","permanent"]},"expires_at":{"type":"string"},"visibility":{"type":"string","enum":["private","team","organization","public"]},"status":{"type":"string","enum":["draft","active","needs_approval","final","superseded","archived"]},"superseded_by":{"type":"string"},"tags":{"type":"array","items":{"type":"string"}}}},"Routing":{"type":"object","properties":{"target_agent":{"type":"string"},"target_role":{"type":"string"},"expects_response":{"type":"boolean"},"response_deadline":{"type":"string"},"parent_artifact_ids":{"type":"array","items":{"type":"string"}},"context":{"type":"object"},"priority":{"type":"string","enum":["low","normal","high","urgent"]}}}}};
const schema32 = {"type":"object","required":["id"],"properties":{"id":{"type":"string","minLength":1},"type":{"type":"string"},"title":{"type":"string"},"summary":{"type":"string","maxLength":500},"initiative":{"type":"string"},"version":{"type":"integer","minimum":1},"version_id":{"type":"string"},"previous_version_id":{"type":"string"},"created_at":{"type":"string"},"updated_at":{"type":"string"}}};
const schema33 = {"type":"object","required":["agent_id"],"properties":{"agent_id":{"type":"string"},"agent_name":{"type":"string"},"agent_role":{"type":"string"},"framework":{"type":"string"},"framework_version":{"type":"string"},"session_id":{"type":"string"},"task_id":{"type":"string"},"task_description":{"type":"string"},"model":{"type":"string"},"organization_id":{"type":"string"}}};
const schema34 = {"type":"object","required":["media_type"],"properties":{"media_type":{"type":"string"},"encoding":{"type":"string"},"body":{"type":["string","object"]},"body_url":{"type":"string"},"body_hash":{"type":"string","pattern":"^(?:[sS][hH][aA]256:)?[0-9a-fA-F]{64}$"},"size_bytes":{"type":"integer","minimum":0},"token_count":{"type":"integer","minimum":0}},"allOf":[{"if":{"not":{"anyOf":[{"required":["body_url"]}]}},"then":{"required":["body"]}},{"if":{"required":["media_type"],"properties":{"media_type":{"const":"application/vnd.aah.structured+json"}}},"then":{"properties":{"body":{"required":["schema","data"],"properties":{"schema":{"type":"string","description":"Which schema the data follows, e.g. aah:analysis/competitor (§5).","minLength":1},"data":{"description":"The data (§5)."}}}}}},{"if":{"not":{"required":["media_type"],"properties":{"media_type":{"const":"application/vnd.aah.structured+json"}}}},"then":{"properties":{"body":{"type":"string"}}}}]};
const schema37 = {"type":"object","required":["id","content"],"properties":{"id":{"type":"string","pattern":"^[a-z0-9-]+$"},"heading":{"type":"string"},"content":{"type":"string"},"change_note":{"type":"string"}}};
const schema38 = {"type":"object","properties":{"retention":{"type":"string","enum":["ephemeral","7d","30d","90d","permanent"]},"expires_at":{"type":"string"},"visibility":{"type":"string","enum":["private","team","organization","public"]},"status":{"type":"string","enum":["draft","active","needs_approval","final","superseded","archived"]},"superseded_by":{"type":"string"},"tags":{"type":"array","items":{"type":"string"}}}};
const schema39 = {"type":"object","properties":{"target_agent":{"type":"string"},"target_role":{"type":"string"},"expects_response":{"type":"boolean"},"response_deadline":{"type":"string"},"parent_artifact_ids":{"type":"array","items":{"type":"string"}},"context":{"type":"object"},"priority":{"type":"string","enum":["low","normal","high","urgent"]}}};
const func0 = Object.prototype.hasOwnProperty;
const func76 = (text) => [...text].length;
const pattern4 = new RegExp("^(?:[sS][hH][aA]256:)?[0-9a-fA-F]{64}$", "u");
const pattern5 = new RegExp("^[a-z0-9-]+$", "u");
const schema35 = {"type":"object","required":["id","heading","content","agent_id","created_at","updated_at"],"properties":{"id":{"type":"string","pattern":"^[a-z0-9-]+$"},"heading":{"type":"string"},"content":{"type":"string"},"agent_id":{"type":"string"},"agent_name":{"type":"string"},"position":{"type":"integer","minimum":0},"created_at":{"type":"string"},"updated_at":{"type":"string"},"version":{"type":"integer","minimum":0},"type":{"type":"string"},"status":{"type":"string","enum":["draft","needs_approval","approved","needs_changes"]},"approval_requested_at":{"type":"string"},"approval_requested_by":{"type":"string"},"approval_note":{"type":"string"},"decided_at":{"type":"string"},"decided_by":{"type":"string"},"decision_note":{"type":"string"}},"if":{"required":["type"],"properties":{"type":{"const":"task"}}},"then":{"$ref":"#/$defs/TaskFields"}};
const schema36 = {"type":"object","properties":{"task_status":{"type":"string","enum":["pending","in_progress","blocked","done"]},"priority":{"type":"integer","minimum":1,"maximum":3},"assignee_agent_id":{"type":"string"},"source_section_id":{"type":"string"},"started_at":{"type":"string"},"completed_at":{"type":"string"},"output_url":{"type":"string"},"output_type":{"type":"string","enum":["pr","doc","artifact","deployment"]}}};

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
const _errs1 = errors;
let valid0 = true;
const _errs2 = errors;
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if(((data.type === undefined) || (!(func0.call(data, "type")))) && (missing0 = "type")){
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
if(data.type !== undefined && func0.call(data, "type")){
if("task" !== data.type){
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
if(data.task_status !== undefined && func0.call(data, "task_status")){
let data1 = data.task_status;
if(typeof data1 !== "string"){
const err2 = {instancePath:instancePath+"/task_status",schemaPath:"#/$defs/TaskFields/properties/task_status/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
if(!((((data1 === "pending") || (data1 === "in_progress")) || (data1 === "blocked")) || (data1 === "done"))){
const err3 = {instancePath:instancePath+"/task_status",schemaPath:"#/$defs/TaskFields/properties/task_status/enum",keyword:"enum",params:{allowedValues: schema36.properties.task_status.enum},message:"must be equal to one of the allowed values"};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
}
if(data.priority !== undefined && func0.call(data, "priority")){
let data2 = data.priority;
if(!(((typeof data2 == "number") && (!(data2 % 1) && !isNaN(data2))) && (isFinite(data2)))){
const err4 = {instancePath:instancePath+"/priority",schemaPath:"#/$defs/TaskFields/properties/priority/type",keyword:"type",params:{type: "integer"},message:"must be integer"};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
if((typeof data2 == "number") && (isFinite(data2))){
if(data2 > 3 || isNaN(data2)){
const err5 = {instancePath:instancePath+"/priority",schemaPath:"#/$defs/TaskFields/properties/priority/maximum",keyword:"maximum",params:{comparison: "<=", limit: 3},message:"must be <= 3"};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
if(data2 < 1 || isNaN(data2)){
const err6 = {instancePath:instancePath+"/priority",schemaPath:"#/$defs/TaskFields/properties/priority/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1},message:"must be >= 1"};
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
if(data.assignee_agent_id !== undefined && func0.call(data, "assignee_agent_id")){
if(typeof data.assignee_agent_id !== "string"){
const err7 = {instancePath:instancePath+"/assignee_agent_id",schemaPath:"#/$defs/TaskFields/properties/assignee_agent_id/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
}
if(data.source_section_id !== undefined && func0.call(data, "source_section_id")){
if(typeof data.source_section_id !== "string"){
const err8 = {instancePath:instancePath+"/source_section_id",schemaPath:"#/$defs/TaskFields/properties/source_section_id/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
}
if(data.started_at !== undefined && func0.call(data, "started_at")){
if(typeof data.started_at !== "string"){
const err9 = {instancePath:instancePath+"/started_at",schemaPath:"#/$defs/TaskFields/properties/started_at/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
}
if(data.completed_at !== undefined && func0.call(data, "completed_at")){
if(typeof data.completed_at !== "string"){
const err10 = {instancePath:instancePath+"/completed_at",schemaPath:"#/$defs/TaskFields/properties/completed_at/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
}
}
if(data.output_url !== undefined && func0.call(data, "output_url")){
if(typeof data.output_url !== "string"){
const err11 = {instancePath:instancePath+"/output_url",schemaPath:"#/$defs/TaskFields/properties/output_url/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err11];
}
else {
vErrors.push(err11);
}
errors++;
}
}
if(data.output_type !== undefined && func0.call(data, "output_type")){
let data8 = data.output_type;
if(typeof data8 !== "string"){
const err12 = {instancePath:instancePath+"/output_type",schemaPath:"#/$defs/TaskFields/properties/output_type/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err12];
}
else {
vErrors.push(err12);
}
errors++;
}
if(!((((data8 === "pr") || (data8 === "doc")) || (data8 === "artifact")) || (data8 === "deployment"))){
const err13 = {instancePath:instancePath+"/output_type",schemaPath:"#/$defs/TaskFields/properties/output_type/enum",keyword:"enum",params:{allowedValues: schema36.properties.output_type.enum},message:"must be equal to one of the allowed values"};
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
const err14 = {instancePath,schemaPath:"#/$defs/TaskFields/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err14];
}
else {
vErrors.push(err14);
}
errors++;
}
var _valid0 = _errs4 === errors;
valid0 = _valid0;
if(valid0){
var props0 = {};
props0.task_status = true;
props0.priority = true;
props0.assignee_agent_id = true;
props0.source_section_id = true;
props0.started_at = true;
props0.completed_at = true;
props0.output_url = true;
props0.output_type = true;
props0.type = true;
}
}
if(!valid0){
const err15 = {instancePath,schemaPath:"#/if",keyword:"if",params:{failingKeyword: "then"},message:"must match \"then\" schema"};
if(vErrors === null){
vErrors = [err15];
}
else {
vErrors.push(err15);
}
errors++;
}
if(data && typeof data == "object" && !Array.isArray(data)){
if((data.id === undefined) || (!(func0.call(data, "id")))){
const err16 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "id"},message:"must have required property '"+"id"+"'"};
if(vErrors === null){
vErrors = [err16];
}
else {
vErrors.push(err16);
}
errors++;
}
if((data.heading === undefined) || (!(func0.call(data, "heading")))){
const err17 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "heading"},message:"must have required property '"+"heading"+"'"};
if(vErrors === null){
vErrors = [err17];
}
else {
vErrors.push(err17);
}
errors++;
}
if((data.content === undefined) || (!(func0.call(data, "content")))){
const err18 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "content"},message:"must have required property '"+"content"+"'"};
if(vErrors === null){
vErrors = [err18];
}
else {
vErrors.push(err18);
}
errors++;
}
if((data.agent_id === undefined) || (!(func0.call(data, "agent_id")))){
const err19 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "agent_id"},message:"must have required property '"+"agent_id"+"'"};
if(vErrors === null){
vErrors = [err19];
}
else {
vErrors.push(err19);
}
errors++;
}
if((data.created_at === undefined) || (!(func0.call(data, "created_at")))){
const err20 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "created_at"},message:"must have required property '"+"created_at"+"'"};
if(vErrors === null){
vErrors = [err20];
}
else {
vErrors.push(err20);
}
errors++;
}
if((data.updated_at === undefined) || (!(func0.call(data, "updated_at")))){
const err21 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "updated_at"},message:"must have required property '"+"updated_at"+"'"};
if(vErrors === null){
vErrors = [err21];
}
else {
vErrors.push(err21);
}
errors++;
}
if(props0 !== true){
props0 = props0 || {};
props0.id = true;
props0.heading = true;
props0.content = true;
props0.agent_id = true;
props0.agent_name = true;
props0.position = true;
props0.created_at = true;
props0.updated_at = true;
props0.version = true;
props0.type = true;
props0.status = true;
props0.approval_requested_at = true;
props0.approval_requested_by = true;
props0.approval_note = true;
props0.decided_at = true;
props0.decided_by = true;
props0.decision_note = true;
}
if(data.id !== undefined && func0.call(data, "id")){
let data9 = data.id;
if(typeof data9 === "string"){
if(!pattern5.test(data9)){
const err22 = {instancePath:instancePath+"/id",schemaPath:"#/properties/id/pattern",keyword:"pattern",params:{pattern: "^[a-z0-9-]+$"},message:"must match pattern \""+"^[a-z0-9-]+$"+"\""};
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
const err23 = {instancePath:instancePath+"/id",schemaPath:"#/properties/id/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err23];
}
else {
vErrors.push(err23);
}
errors++;
}
}
if(data.heading !== undefined && func0.call(data, "heading")){
if(typeof data.heading !== "string"){
const err24 = {instancePath:instancePath+"/heading",schemaPath:"#/properties/heading/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err24];
}
else {
vErrors.push(err24);
}
errors++;
}
}
if(data.content !== undefined && func0.call(data, "content")){
if(typeof data.content !== "string"){
const err25 = {instancePath:instancePath+"/content",schemaPath:"#/properties/content/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err25];
}
else {
vErrors.push(err25);
}
errors++;
}
}
if(data.agent_id !== undefined && func0.call(data, "agent_id")){
if(typeof data.agent_id !== "string"){
const err26 = {instancePath:instancePath+"/agent_id",schemaPath:"#/properties/agent_id/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err26];
}
else {
vErrors.push(err26);
}
errors++;
}
}
if(data.agent_name !== undefined && func0.call(data, "agent_name")){
if(typeof data.agent_name !== "string"){
const err27 = {instancePath:instancePath+"/agent_name",schemaPath:"#/properties/agent_name/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err27];
}
else {
vErrors.push(err27);
}
errors++;
}
}
if(data.position !== undefined && func0.call(data, "position")){
let data14 = data.position;
if(!(((typeof data14 == "number") && (!(data14 % 1) && !isNaN(data14))) && (isFinite(data14)))){
const err28 = {instancePath:instancePath+"/position",schemaPath:"#/properties/position/type",keyword:"type",params:{type: "integer"},message:"must be integer"};
if(vErrors === null){
vErrors = [err28];
}
else {
vErrors.push(err28);
}
errors++;
}
if((typeof data14 == "number") && (isFinite(data14))){
if(data14 < 0 || isNaN(data14)){
const err29 = {instancePath:instancePath+"/position",schemaPath:"#/properties/position/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"};
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
if(data.created_at !== undefined && func0.call(data, "created_at")){
if(typeof data.created_at !== "string"){
const err30 = {instancePath:instancePath+"/created_at",schemaPath:"#/properties/created_at/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err30];
}
else {
vErrors.push(err30);
}
errors++;
}
}
if(data.updated_at !== undefined && func0.call(data, "updated_at")){
if(typeof data.updated_at !== "string"){
const err31 = {instancePath:instancePath+"/updated_at",schemaPath:"#/properties/updated_at/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err31];
}
else {
vErrors.push(err31);
}
errors++;
}
}
if(data.version !== undefined && func0.call(data, "version")){
let data17 = data.version;
if(!(((typeof data17 == "number") && (!(data17 % 1) && !isNaN(data17))) && (isFinite(data17)))){
const err32 = {instancePath:instancePath+"/version",schemaPath:"#/properties/version/type",keyword:"type",params:{type: "integer"},message:"must be integer"};
if(vErrors === null){
vErrors = [err32];
}
else {
vErrors.push(err32);
}
errors++;
}
if((typeof data17 == "number") && (isFinite(data17))){
if(data17 < 0 || isNaN(data17)){
const err33 = {instancePath:instancePath+"/version",schemaPath:"#/properties/version/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"};
if(vErrors === null){
vErrors = [err33];
}
else {
vErrors.push(err33);
}
errors++;
}
}
}
if(data.type !== undefined && func0.call(data, "type")){
if(typeof data.type !== "string"){
const err34 = {instancePath:instancePath+"/type",schemaPath:"#/properties/type/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err34];
}
else {
vErrors.push(err34);
}
errors++;
}
}
if(data.status !== undefined && func0.call(data, "status")){
let data19 = data.status;
if(typeof data19 !== "string"){
const err35 = {instancePath:instancePath+"/status",schemaPath:"#/properties/status/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err35];
}
else {
vErrors.push(err35);
}
errors++;
}
if(!((((data19 === "draft") || (data19 === "needs_approval")) || (data19 === "approved")) || (data19 === "needs_changes"))){
const err36 = {instancePath:instancePath+"/status",schemaPath:"#/properties/status/enum",keyword:"enum",params:{allowedValues: schema35.properties.status.enum},message:"must be equal to one of the allowed values"};
if(vErrors === null){
vErrors = [err36];
}
else {
vErrors.push(err36);
}
errors++;
}
}
if(data.approval_requested_at !== undefined && func0.call(data, "approval_requested_at")){
if(typeof data.approval_requested_at !== "string"){
const err37 = {instancePath:instancePath+"/approval_requested_at",schemaPath:"#/properties/approval_requested_at/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err37];
}
else {
vErrors.push(err37);
}
errors++;
}
}
if(data.approval_requested_by !== undefined && func0.call(data, "approval_requested_by")){
if(typeof data.approval_requested_by !== "string"){
const err38 = {instancePath:instancePath+"/approval_requested_by",schemaPath:"#/properties/approval_requested_by/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err38];
}
else {
vErrors.push(err38);
}
errors++;
}
}
if(data.approval_note !== undefined && func0.call(data, "approval_note")){
if(typeof data.approval_note !== "string"){
const err39 = {instancePath:instancePath+"/approval_note",schemaPath:"#/properties/approval_note/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err39];
}
else {
vErrors.push(err39);
}
errors++;
}
}
if(data.decided_at !== undefined && func0.call(data, "decided_at")){
if(typeof data.decided_at !== "string"){
const err40 = {instancePath:instancePath+"/decided_at",schemaPath:"#/properties/decided_at/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err40];
}
else {
vErrors.push(err40);
}
errors++;
}
}
if(data.decided_by !== undefined && func0.call(data, "decided_by")){
if(typeof data.decided_by !== "string"){
const err41 = {instancePath:instancePath+"/decided_by",schemaPath:"#/properties/decided_by/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err41];
}
else {
vErrors.push(err41);
}
errors++;
}
}
if(data.decision_note !== undefined && func0.call(data, "decision_note")){
if(typeof data.decision_note !== "string"){
const err42 = {instancePath:instancePath+"/decision_note",schemaPath:"#/properties/decision_note/type",keyword:"type",params:{type: "string"},message:"must be string"};
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
const err43 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err43];
}
else {
vErrors.push(err43);
}
errors++;
}
validate21.errors = vErrors;
evaluated0.props = props0;
return errors === 0;
}
validate21.evaluated = {"dynamicProps":true,"dynamicItems":false};


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
const _errs1 = errors;
const _errs2 = errors;
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if((((data.content === undefined) || (!(func0.call(data, "content")))) && (missing0 = "content")) || (((data.sections === undefined) || (!(func0.call(data, "sections")))) && (missing0 = "sections"))){
const err0 = {};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
}
var valid0 = _errs2 === errors;
if(valid0){
const err1 = {instancePath,schemaPath:"#/not",keyword:"not",params:{},message:"must NOT be valid"};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
else {
errors = _errs1;
if(vErrors !== null){
if(_errs1){
vErrors.length = _errs1;
}
else {
vErrors = null;
}
}
}
const _errs4 = errors;
let valid2 = true;
const _errs5 = errors;
const _errs6 = errors;
const _errs7 = errors;
const _errs8 = errors;
let valid4 = false;
const _errs9 = errors;
if(data && typeof data == "object" && !Array.isArray(data)){
let missing1;
if(((data.sections === undefined) || (!(func0.call(data, "sections")))) && (missing1 = "sections")){
const err2 = {};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
}
var _valid1 = _errs9 === errors;
valid4 = valid4 || _valid1;
const _errs10 = errors;
if(data && typeof data == "object" && !Array.isArray(data)){
let missing2;
if(((data.section_update === undefined) || (!(func0.call(data, "section_update")))) && (missing2 = "section_update")){
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
var _valid1 = _errs10 === errors;
valid4 = valid4 || _valid1;
if(!valid4){
const err4 = {};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
else {
errors = _errs8;
if(vErrors !== null){
if(_errs8){
vErrors.length = _errs8;
}
else {
vErrors = null;
}
}
}
var valid3 = _errs7 === errors;
if(valid3){
const err5 = {};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
else {
errors = _errs6;
if(vErrors !== null){
if(_errs6){
vErrors.length = _errs6;
}
else {
vErrors = null;
}
}
}
var _valid0 = _errs5 === errors;
errors = _errs4;
if(vErrors !== null){
if(_errs4){
vErrors.length = _errs4;
}
else {
vErrors = null;
}
}
if(_valid0){
const _errs11 = errors;
if(data && typeof data == "object" && !Array.isArray(data)){
if((data.content === undefined) || (!(func0.call(data, "content")))){
const err6 = {instancePath,schemaPath:"#/allOf/0/then/required",keyword:"required",params:{missingProperty: "content"},message:"must have required property '"+"content"+"'"};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
}
var _valid0 = _errs11 === errors;
valid2 = _valid0;
}
if(!valid2){
const err7 = {instancePath,schemaPath:"#/allOf/0/if",keyword:"if",params:{failingKeyword: "then"},message:"must match \"then\" schema"};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
const _errs13 = errors;
let valid5 = true;
const _errs14 = errors;
const _errs15 = errors;
const _errs16 = errors;
const _errs17 = errors;
let valid7 = false;
const _errs18 = errors;
if(data && typeof data == "object" && !Array.isArray(data)){
let missing3;
if(((data.section_update === undefined) || (!(func0.call(data, "section_update")))) && (missing3 = "section_update")){
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
var _valid3 = _errs18 === errors;
valid7 = valid7 || _valid3;
if(!valid7){
const err9 = {};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
else {
errors = _errs17;
if(vErrors !== null){
if(_errs17){
vErrors.length = _errs17;
}
else {
vErrors = null;
}
}
}
var valid6 = _errs16 === errors;
if(valid6){
const err10 = {};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
}
else {
errors = _errs15;
if(vErrors !== null){
if(_errs15){
vErrors.length = _errs15;
}
else {
vErrors = null;
}
}
}
var _valid2 = _errs14 === errors;
errors = _errs13;
if(vErrors !== null){
if(_errs13){
vErrors.length = _errs13;
}
else {
vErrors = null;
}
}
if(_valid2){
const _errs19 = errors;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.artifact !== undefined && func0.call(data, "artifact")){
let data0 = data.artifact;
if(data0 && typeof data0 == "object" && !Array.isArray(data0)){
if((data0.type === undefined) || (!(func0.call(data0, "type")))){
const err11 = {instancePath:instancePath+"/artifact",schemaPath:"#/allOf/1/then/properties/artifact/required",keyword:"required",params:{missingProperty: "type"},message:"must have required property '"+"type"+"'"};
if(vErrors === null){
vErrors = [err11];
}
else {
vErrors.push(err11);
}
errors++;
}
if((data0.created_at === undefined) || (!(func0.call(data0, "created_at")))){
const err12 = {instancePath:instancePath+"/artifact",schemaPath:"#/allOf/1/then/properties/artifact/required",keyword:"required",params:{missingProperty: "created_at"},message:"must have required property '"+"created_at"+"'"};
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
var _valid2 = _errs19 === errors;
valid5 = _valid2;
if(valid5){
var props0 = {};
props0.artifact = true;
}
}
if(!valid5){
const err13 = {instancePath,schemaPath:"#/allOf/1/if",keyword:"if",params:{failingKeyword: "then"},message:"must match \"then\" schema"};
if(vErrors === null){
vErrors = [err13];
}
else {
vErrors.push(err13);
}
errors++;
}
if(data && typeof data == "object" && !Array.isArray(data)){
if((data.aah_version === undefined) || (!(func0.call(data, "aah_version")))){
const err14 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "aah_version"},message:"must have required property '"+"aah_version"+"'"};
if(vErrors === null){
vErrors = [err14];
}
else {
vErrors.push(err14);
}
errors++;
}
if((data.artifact === undefined) || (!(func0.call(data, "artifact")))){
const err15 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "artifact"},message:"must have required property '"+"artifact"+"'"};
if(vErrors === null){
vErrors = [err15];
}
else {
vErrors.push(err15);
}
errors++;
}
if((data.source === undefined) || (!(func0.call(data, "source")))){
const err16 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "source"},message:"must have required property '"+"source"+"'"};
if(vErrors === null){
vErrors = [err16];
}
else {
vErrors.push(err16);
}
errors++;
}
if(props0 !== true){
props0 = props0 || {};
props0.aah_version = true;
props0.artifact = true;
props0.source = true;
props0.content = true;
props0.sections = true;
props0.section_update = true;
props0.lifecycle = true;
props0.handoff = true;
props0.extensions = true;
}
if(data.aah_version !== undefined && func0.call(data, "aah_version")){
if(typeof data.aah_version !== "string"){
const err17 = {instancePath:instancePath+"/aah_version",schemaPath:"#/properties/aah_version/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err17];
}
else {
vErrors.push(err17);
}
errors++;
}
}
if(data.artifact !== undefined && func0.call(data, "artifact")){
let data2 = data.artifact;
if(data2 && typeof data2 == "object" && !Array.isArray(data2)){
if((data2.id === undefined) || (!(func0.call(data2, "id")))){
const err18 = {instancePath:instancePath+"/artifact",schemaPath:"#/$defs/Artifact/required",keyword:"required",params:{missingProperty: "id"},message:"must have required property '"+"id"+"'"};
if(vErrors === null){
vErrors = [err18];
}
else {
vErrors.push(err18);
}
errors++;
}
if(data2.id !== undefined && func0.call(data2, "id")){
let data3 = data2.id;
if(typeof data3 === "string"){
if(func76(data3) < 1){
const err19 = {instancePath:instancePath+"/artifact/id",schemaPath:"#/$defs/Artifact/properties/id/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"};
if(vErrors === null){
vErrors = [err19];
}
else {
vErrors.push(err19);
}
errors++;
}
}
else {
const err20 = {instancePath:instancePath+"/artifact/id",schemaPath:"#/$defs/Artifact/properties/id/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err20];
}
else {
vErrors.push(err20);
}
errors++;
}
}
if(data2.type !== undefined && func0.call(data2, "type")){
if(typeof data2.type !== "string"){
const err21 = {instancePath:instancePath+"/artifact/type",schemaPath:"#/$defs/Artifact/properties/type/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err21];
}
else {
vErrors.push(err21);
}
errors++;
}
}
if(data2.title !== undefined && func0.call(data2, "title")){
if(typeof data2.title !== "string"){
const err22 = {instancePath:instancePath+"/artifact/title",schemaPath:"#/$defs/Artifact/properties/title/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err22];
}
else {
vErrors.push(err22);
}
errors++;
}
}
if(data2.summary !== undefined && func0.call(data2, "summary")){
let data6 = data2.summary;
if(typeof data6 === "string"){
if(func76(data6) > 500){
const err23 = {instancePath:instancePath+"/artifact/summary",schemaPath:"#/$defs/Artifact/properties/summary/maxLength",keyword:"maxLength",params:{limit: 500},message:"must NOT have more than 500 characters"};
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
const err24 = {instancePath:instancePath+"/artifact/summary",schemaPath:"#/$defs/Artifact/properties/summary/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err24];
}
else {
vErrors.push(err24);
}
errors++;
}
}
if(data2.initiative !== undefined && func0.call(data2, "initiative")){
if(typeof data2.initiative !== "string"){
const err25 = {instancePath:instancePath+"/artifact/initiative",schemaPath:"#/$defs/Artifact/properties/initiative/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err25];
}
else {
vErrors.push(err25);
}
errors++;
}
}
if(data2.version !== undefined && func0.call(data2, "version")){
let data8 = data2.version;
if(!(((typeof data8 == "number") && (!(data8 % 1) && !isNaN(data8))) && (isFinite(data8)))){
const err26 = {instancePath:instancePath+"/artifact/version",schemaPath:"#/$defs/Artifact/properties/version/type",keyword:"type",params:{type: "integer"},message:"must be integer"};
if(vErrors === null){
vErrors = [err26];
}
else {
vErrors.push(err26);
}
errors++;
}
if((typeof data8 == "number") && (isFinite(data8))){
if(data8 < 1 || isNaN(data8)){
const err27 = {instancePath:instancePath+"/artifact/version",schemaPath:"#/$defs/Artifact/properties/version/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1},message:"must be >= 1"};
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
if(data2.version_id !== undefined && func0.call(data2, "version_id")){
if(typeof data2.version_id !== "string"){
const err28 = {instancePath:instancePath+"/artifact/version_id",schemaPath:"#/$defs/Artifact/properties/version_id/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err28];
}
else {
vErrors.push(err28);
}
errors++;
}
}
if(data2.previous_version_id !== undefined && func0.call(data2, "previous_version_id")){
if(typeof data2.previous_version_id !== "string"){
const err29 = {instancePath:instancePath+"/artifact/previous_version_id",schemaPath:"#/$defs/Artifact/properties/previous_version_id/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err29];
}
else {
vErrors.push(err29);
}
errors++;
}
}
if(data2.created_at !== undefined && func0.call(data2, "created_at")){
if(typeof data2.created_at !== "string"){
const err30 = {instancePath:instancePath+"/artifact/created_at",schemaPath:"#/$defs/Artifact/properties/created_at/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err30];
}
else {
vErrors.push(err30);
}
errors++;
}
}
if(data2.updated_at !== undefined && func0.call(data2, "updated_at")){
if(typeof data2.updated_at !== "string"){
const err31 = {instancePath:instancePath+"/artifact/updated_at",schemaPath:"#/$defs/Artifact/properties/updated_at/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err31];
}
else {
vErrors.push(err31);
}
errors++;
}
}
}
else {
const err32 = {instancePath:instancePath+"/artifact",schemaPath:"#/$defs/Artifact/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err32];
}
else {
vErrors.push(err32);
}
errors++;
}
}
if(data.source !== undefined && func0.call(data, "source")){
let data13 = data.source;
if(data13 && typeof data13 == "object" && !Array.isArray(data13)){
if((data13.agent_id === undefined) || (!(func0.call(data13, "agent_id")))){
const err33 = {instancePath:instancePath+"/source",schemaPath:"#/$defs/Source/required",keyword:"required",params:{missingProperty: "agent_id"},message:"must have required property '"+"agent_id"+"'"};
if(vErrors === null){
vErrors = [err33];
}
else {
vErrors.push(err33);
}
errors++;
}
if(data13.agent_id !== undefined && func0.call(data13, "agent_id")){
if(typeof data13.agent_id !== "string"){
const err34 = {instancePath:instancePath+"/source/agent_id",schemaPath:"#/$defs/Source/properties/agent_id/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err34];
}
else {
vErrors.push(err34);
}
errors++;
}
}
if(data13.agent_name !== undefined && func0.call(data13, "agent_name")){
if(typeof data13.agent_name !== "string"){
const err35 = {instancePath:instancePath+"/source/agent_name",schemaPath:"#/$defs/Source/properties/agent_name/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err35];
}
else {
vErrors.push(err35);
}
errors++;
}
}
if(data13.agent_role !== undefined && func0.call(data13, "agent_role")){
if(typeof data13.agent_role !== "string"){
const err36 = {instancePath:instancePath+"/source/agent_role",schemaPath:"#/$defs/Source/properties/agent_role/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err36];
}
else {
vErrors.push(err36);
}
errors++;
}
}
if(data13.framework !== undefined && func0.call(data13, "framework")){
if(typeof data13.framework !== "string"){
const err37 = {instancePath:instancePath+"/source/framework",schemaPath:"#/$defs/Source/properties/framework/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err37];
}
else {
vErrors.push(err37);
}
errors++;
}
}
if(data13.framework_version !== undefined && func0.call(data13, "framework_version")){
if(typeof data13.framework_version !== "string"){
const err38 = {instancePath:instancePath+"/source/framework_version",schemaPath:"#/$defs/Source/properties/framework_version/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err38];
}
else {
vErrors.push(err38);
}
errors++;
}
}
if(data13.session_id !== undefined && func0.call(data13, "session_id")){
if(typeof data13.session_id !== "string"){
const err39 = {instancePath:instancePath+"/source/session_id",schemaPath:"#/$defs/Source/properties/session_id/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err39];
}
else {
vErrors.push(err39);
}
errors++;
}
}
if(data13.task_id !== undefined && func0.call(data13, "task_id")){
if(typeof data13.task_id !== "string"){
const err40 = {instancePath:instancePath+"/source/task_id",schemaPath:"#/$defs/Source/properties/task_id/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err40];
}
else {
vErrors.push(err40);
}
errors++;
}
}
if(data13.task_description !== undefined && func0.call(data13, "task_description")){
if(typeof data13.task_description !== "string"){
const err41 = {instancePath:instancePath+"/source/task_description",schemaPath:"#/$defs/Source/properties/task_description/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err41];
}
else {
vErrors.push(err41);
}
errors++;
}
}
if(data13.model !== undefined && func0.call(data13, "model")){
if(typeof data13.model !== "string"){
const err42 = {instancePath:instancePath+"/source/model",schemaPath:"#/$defs/Source/properties/model/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err42];
}
else {
vErrors.push(err42);
}
errors++;
}
}
if(data13.organization_id !== undefined && func0.call(data13, "organization_id")){
if(typeof data13.organization_id !== "string"){
const err43 = {instancePath:instancePath+"/source/organization_id",schemaPath:"#/$defs/Source/properties/organization_id/type",keyword:"type",params:{type: "string"},message:"must be string"};
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
const err44 = {instancePath:instancePath+"/source",schemaPath:"#/$defs/Source/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err44];
}
else {
vErrors.push(err44);
}
errors++;
}
}
if(data.content !== undefined && func0.call(data, "content")){
let data24 = data.content;
const _errs73 = errors;
let valid16 = true;
const _errs74 = errors;
const _errs75 = errors;
const _errs76 = errors;
const _errs77 = errors;
let valid18 = false;
const _errs78 = errors;
if(data24 && typeof data24 == "object" && !Array.isArray(data24)){
let missing4;
if(((data24.body_url === undefined) || (!(func0.call(data24, "body_url")))) && (missing4 = "body_url")){
const err45 = {};
if(vErrors === null){
vErrors = [err45];
}
else {
vErrors.push(err45);
}
errors++;
}
}
var _valid5 = _errs78 === errors;
valid18 = valid18 || _valid5;
if(!valid18){
const err46 = {};
if(vErrors === null){
vErrors = [err46];
}
else {
vErrors.push(err46);
}
errors++;
}
else {
errors = _errs77;
if(vErrors !== null){
if(_errs77){
vErrors.length = _errs77;
}
else {
vErrors = null;
}
}
}
var valid17 = _errs76 === errors;
if(valid17){
const err47 = {};
if(vErrors === null){
vErrors = [err47];
}
else {
vErrors.push(err47);
}
errors++;
}
else {
errors = _errs75;
if(vErrors !== null){
if(_errs75){
vErrors.length = _errs75;
}
else {
vErrors = null;
}
}
}
var _valid4 = _errs74 === errors;
errors = _errs73;
if(vErrors !== null){
if(_errs73){
vErrors.length = _errs73;
}
else {
vErrors = null;
}
}
if(_valid4){
const _errs79 = errors;
if(data24 && typeof data24 == "object" && !Array.isArray(data24)){
if((data24.body === undefined) || (!(func0.call(data24, "body")))){
const err48 = {instancePath:instancePath+"/content",schemaPath:"#/$defs/Content/allOf/0/then/required",keyword:"required",params:{missingProperty: "body"},message:"must have required property '"+"body"+"'"};
if(vErrors === null){
vErrors = [err48];
}
else {
vErrors.push(err48);
}
errors++;
}
}
var _valid4 = _errs79 === errors;
valid16 = _valid4;
}
if(!valid16){
const err49 = {instancePath:instancePath+"/content",schemaPath:"#/$defs/Content/allOf/0/if",keyword:"if",params:{failingKeyword: "then"},message:"must match \"then\" schema"};
if(vErrors === null){
vErrors = [err49];
}
else {
vErrors.push(err49);
}
errors++;
}
const _errs81 = errors;
let valid19 = true;
const _errs82 = errors;
if(data24 && typeof data24 == "object" && !Array.isArray(data24)){
let missing5;
if(((data24.media_type === undefined) || (!(func0.call(data24, "media_type")))) && (missing5 = "media_type")){
const err50 = {};
if(vErrors === null){
vErrors = [err50];
}
else {
vErrors.push(err50);
}
errors++;
}
else {
if(data24.media_type !== undefined && func0.call(data24, "media_type")){
if("application/vnd.aah.structured+json" !== data24.media_type){
const err51 = {};
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
}
var _valid6 = _errs82 === errors;
errors = _errs81;
if(vErrors !== null){
if(_errs81){
vErrors.length = _errs81;
}
else {
vErrors = null;
}
}
if(_valid6){
const _errs84 = errors;
if(data24 && typeof data24 == "object" && !Array.isArray(data24)){
if(data24.body !== undefined && func0.call(data24, "body")){
let data26 = data24.body;
if(data26 && typeof data26 == "object" && !Array.isArray(data26)){
if((data26.schema === undefined) || (!(func0.call(data26, "schema")))){
const err52 = {instancePath:instancePath+"/content/body",schemaPath:"#/$defs/Content/allOf/1/then/properties/body/required",keyword:"required",params:{missingProperty: "schema"},message:"must have required property '"+"schema"+"'"};
if(vErrors === null){
vErrors = [err52];
}
else {
vErrors.push(err52);
}
errors++;
}
if((data26.data === undefined) || (!(func0.call(data26, "data")))){
const err53 = {instancePath:instancePath+"/content/body",schemaPath:"#/$defs/Content/allOf/1/then/properties/body/required",keyword:"required",params:{missingProperty: "data"},message:"must have required property '"+"data"+"'"};
if(vErrors === null){
vErrors = [err53];
}
else {
vErrors.push(err53);
}
errors++;
}
if(data26.schema !== undefined && func0.call(data26, "schema")){
let data27 = data26.schema;
if(typeof data27 === "string"){
if(func76(data27) < 1){
const err54 = {instancePath:instancePath+"/content/body/schema",schemaPath:"#/$defs/Content/allOf/1/then/properties/body/properties/schema/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"};
if(vErrors === null){
vErrors = [err54];
}
else {
vErrors.push(err54);
}
errors++;
}
}
else {
const err55 = {instancePath:instancePath+"/content/body/schema",schemaPath:"#/$defs/Content/allOf/1/then/properties/body/properties/schema/type",keyword:"type",params:{type: "string"},message:"must be string"};
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
}
}
var _valid6 = _errs84 === errors;
valid19 = _valid6;
if(valid19){
var props1 = {};
props1.body = true;
props1.media_type = true;
}
}
if(!valid19){
const err56 = {instancePath:instancePath+"/content",schemaPath:"#/$defs/Content/allOf/1/if",keyword:"if",params:{failingKeyword: "then"},message:"must match \"then\" schema"};
if(vErrors === null){
vErrors = [err56];
}
else {
vErrors.push(err56);
}
errors++;
}
const _errs89 = errors;
let valid23 = true;
const _errs90 = errors;
const _errs91 = errors;
const _errs92 = errors;
if(data24 && typeof data24 == "object" && !Array.isArray(data24)){
let missing6;
if(((data24.media_type === undefined) || (!(func0.call(data24, "media_type")))) && (missing6 = "media_type")){
const err57 = {};
if(vErrors === null){
vErrors = [err57];
}
else {
vErrors.push(err57);
}
errors++;
}
else {
if(data24.media_type !== undefined && func0.call(data24, "media_type")){
if("application/vnd.aah.structured+json" !== data24.media_type){
const err58 = {};
if(vErrors === null){
vErrors = [err58];
}
else {
vErrors.push(err58);
}
errors++;
}
}
}
}
var valid24 = _errs92 === errors;
if(valid24){
const err59 = {};
if(vErrors === null){
vErrors = [err59];
}
else {
vErrors.push(err59);
}
errors++;
}
else {
errors = _errs91;
if(vErrors !== null){
if(_errs91){
vErrors.length = _errs91;
}
else {
vErrors = null;
}
}
}
var _valid7 = _errs90 === errors;
errors = _errs89;
if(vErrors !== null){
if(_errs89){
vErrors.length = _errs89;
}
else {
vErrors = null;
}
}
if(_valid7){
const _errs94 = errors;
if(data24 && typeof data24 == "object" && !Array.isArray(data24)){
if(data24.body !== undefined && func0.call(data24, "body")){
if(typeof data24.body !== "string"){
const err60 = {instancePath:instancePath+"/content/body",schemaPath:"#/$defs/Content/allOf/2/then/properties/body/type",keyword:"type",params:{type: "string"},message:"must be string"};
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
var _valid7 = _errs94 === errors;
valid23 = _valid7;
if(valid23){
var props2 = {};
props2.body = true;
}
}
if(!valid23){
const err61 = {instancePath:instancePath+"/content",schemaPath:"#/$defs/Content/allOf/2/if",keyword:"if",params:{failingKeyword: "then"},message:"must match \"then\" schema"};
if(vErrors === null){
vErrors = [err61];
}
else {
vErrors.push(err61);
}
errors++;
}
if(props1 !== true && props2 !== undefined){
if(props2 === true){
props1 = true;
}
else {
props1 = props1 || {};
Object.assign(props1, props2);
}
}
if(data24 && typeof data24 == "object" && !Array.isArray(data24)){
if((data24.media_type === undefined) || (!(func0.call(data24, "media_type")))){
const err62 = {instancePath:instancePath+"/content",schemaPath:"#/$defs/Content/required",keyword:"required",params:{missingProperty: "media_type"},message:"must have required property '"+"media_type"+"'"};
if(vErrors === null){
vErrors = [err62];
}
else {
vErrors.push(err62);
}
errors++;
}
if(props1 !== true){
props1 = props1 || {};
props1.media_type = true;
props1.encoding = true;
props1.body = true;
props1.body_url = true;
props1.body_hash = true;
props1.size_bytes = true;
props1.token_count = true;
}
if(data24.media_type !== undefined && func0.call(data24, "media_type")){
if(typeof data24.media_type !== "string"){
const err63 = {instancePath:instancePath+"/content/media_type",schemaPath:"#/$defs/Content/properties/media_type/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err63];
}
else {
vErrors.push(err63);
}
errors++;
}
}
if(data24.encoding !== undefined && func0.call(data24, "encoding")){
if(typeof data24.encoding !== "string"){
const err64 = {instancePath:instancePath+"/content/encoding",schemaPath:"#/$defs/Content/properties/encoding/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err64];
}
else {
vErrors.push(err64);
}
errors++;
}
}
if(data24.body !== undefined && func0.call(data24, "body")){
let data32 = data24.body;
if((typeof data32 !== "string") && (!(data32 && typeof data32 == "object" && !Array.isArray(data32)))){
const err65 = {instancePath:instancePath+"/content/body",schemaPath:"#/$defs/Content/properties/body/type",keyword:"type",params:{type: schema34.properties.body.type},message:"must be string,object"};
if(vErrors === null){
vErrors = [err65];
}
else {
vErrors.push(err65);
}
errors++;
}
}
if(data24.body_url !== undefined && func0.call(data24, "body_url")){
if(typeof data24.body_url !== "string"){
const err66 = {instancePath:instancePath+"/content/body_url",schemaPath:"#/$defs/Content/properties/body_url/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err66];
}
else {
vErrors.push(err66);
}
errors++;
}
}
if(data24.body_hash !== undefined && func0.call(data24, "body_hash")){
let data34 = data24.body_hash;
if(typeof data34 === "string"){
if(!pattern4.test(data34)){
const err67 = {instancePath:instancePath+"/content/body_hash",schemaPath:"#/$defs/Content/properties/body_hash/pattern",keyword:"pattern",params:{pattern: "^(?:[sS][hH][aA]256:)?[0-9a-fA-F]{64}$"},message:"must match pattern \""+"^(?:[sS][hH][aA]256:)?[0-9a-fA-F]{64}$"+"\""};
if(vErrors === null){
vErrors = [err67];
}
else {
vErrors.push(err67);
}
errors++;
}
}
else {
const err68 = {instancePath:instancePath+"/content/body_hash",schemaPath:"#/$defs/Content/properties/body_hash/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err68];
}
else {
vErrors.push(err68);
}
errors++;
}
}
if(data24.size_bytes !== undefined && func0.call(data24, "size_bytes")){
let data35 = data24.size_bytes;
if(!(((typeof data35 == "number") && (!(data35 % 1) && !isNaN(data35))) && (isFinite(data35)))){
const err69 = {instancePath:instancePath+"/content/size_bytes",schemaPath:"#/$defs/Content/properties/size_bytes/type",keyword:"type",params:{type: "integer"},message:"must be integer"};
if(vErrors === null){
vErrors = [err69];
}
else {
vErrors.push(err69);
}
errors++;
}
if((typeof data35 == "number") && (isFinite(data35))){
if(data35 < 0 || isNaN(data35)){
const err70 = {instancePath:instancePath+"/content/size_bytes",schemaPath:"#/$defs/Content/properties/size_bytes/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"};
if(vErrors === null){
vErrors = [err70];
}
else {
vErrors.push(err70);
}
errors++;
}
}
}
if(data24.token_count !== undefined && func0.call(data24, "token_count")){
let data36 = data24.token_count;
if(!(((typeof data36 == "number") && (!(data36 % 1) && !isNaN(data36))) && (isFinite(data36)))){
const err71 = {instancePath:instancePath+"/content/token_count",schemaPath:"#/$defs/Content/properties/token_count/type",keyword:"type",params:{type: "integer"},message:"must be integer"};
if(vErrors === null){
vErrors = [err71];
}
else {
vErrors.push(err71);
}
errors++;
}
if((typeof data36 == "number") && (isFinite(data36))){
if(data36 < 0 || isNaN(data36)){
const err72 = {instancePath:instancePath+"/content/token_count",schemaPath:"#/$defs/Content/properties/token_count/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"};
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
}
else {
const err73 = {instancePath:instancePath+"/content",schemaPath:"#/$defs/Content/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err73];
}
else {
vErrors.push(err73);
}
errors++;
}
}
if(data.sections !== undefined && func0.call(data, "sections")){
let data37 = data.sections;
if(Array.isArray(data37)){
const len0 = data37.length;
for(let i0=0; i0<len0; i0++){
if(!(validate21(data37[i0], {instancePath:instancePath+"/sections/" + i0,parentData:data37,parentDataProperty:i0,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate21.errors : vErrors.concat(validate21.errors);
errors = vErrors.length;
}
}
}
else {
const err74 = {instancePath:instancePath+"/sections",schemaPath:"#/properties/sections/type",keyword:"type",params:{type: "array"},message:"must be array"};
if(vErrors === null){
vErrors = [err74];
}
else {
vErrors.push(err74);
}
errors++;
}
}
if(data.section_update !== undefined && func0.call(data, "section_update")){
let data39 = data.section_update;
if(data39 && typeof data39 == "object" && !Array.isArray(data39)){
if((data39.id === undefined) || (!(func0.call(data39, "id")))){
const err75 = {instancePath:instancePath+"/section_update",schemaPath:"#/$defs/SectionUpdate/required",keyword:"required",params:{missingProperty: "id"},message:"must have required property '"+"id"+"'"};
if(vErrors === null){
vErrors = [err75];
}
else {
vErrors.push(err75);
}
errors++;
}
if((data39.content === undefined) || (!(func0.call(data39, "content")))){
const err76 = {instancePath:instancePath+"/section_update",schemaPath:"#/$defs/SectionUpdate/required",keyword:"required",params:{missingProperty: "content"},message:"must have required property '"+"content"+"'"};
if(vErrors === null){
vErrors = [err76];
}
else {
vErrors.push(err76);
}
errors++;
}
if(data39.id !== undefined && func0.call(data39, "id")){
let data40 = data39.id;
if(typeof data40 === "string"){
if(!pattern5.test(data40)){
const err77 = {instancePath:instancePath+"/section_update/id",schemaPath:"#/$defs/SectionUpdate/properties/id/pattern",keyword:"pattern",params:{pattern: "^[a-z0-9-]+$"},message:"must match pattern \""+"^[a-z0-9-]+$"+"\""};
if(vErrors === null){
vErrors = [err77];
}
else {
vErrors.push(err77);
}
errors++;
}
}
else {
const err78 = {instancePath:instancePath+"/section_update/id",schemaPath:"#/$defs/SectionUpdate/properties/id/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err78];
}
else {
vErrors.push(err78);
}
errors++;
}
}
if(data39.heading !== undefined && func0.call(data39, "heading")){
if(typeof data39.heading !== "string"){
const err79 = {instancePath:instancePath+"/section_update/heading",schemaPath:"#/$defs/SectionUpdate/properties/heading/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err79];
}
else {
vErrors.push(err79);
}
errors++;
}
}
if(data39.content !== undefined && func0.call(data39, "content")){
if(typeof data39.content !== "string"){
const err80 = {instancePath:instancePath+"/section_update/content",schemaPath:"#/$defs/SectionUpdate/properties/content/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err80];
}
else {
vErrors.push(err80);
}
errors++;
}
}
if(data39.change_note !== undefined && func0.call(data39, "change_note")){
if(typeof data39.change_note !== "string"){
const err81 = {instancePath:instancePath+"/section_update/change_note",schemaPath:"#/$defs/SectionUpdate/properties/change_note/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err81];
}
else {
vErrors.push(err81);
}
errors++;
}
}
}
else {
const err82 = {instancePath:instancePath+"/section_update",schemaPath:"#/$defs/SectionUpdate/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err82];
}
else {
vErrors.push(err82);
}
errors++;
}
}
if(data.lifecycle !== undefined && func0.call(data, "lifecycle")){
let data44 = data.lifecycle;
if(data44 && typeof data44 == "object" && !Array.isArray(data44)){
if(data44.retention !== undefined && func0.call(data44, "retention")){
let data45 = data44.retention;
if(typeof data45 !== "string"){
const err83 = {instancePath:instancePath+"/lifecycle/retention",schemaPath:"#/$defs/Lifecycle/properties/retention/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err83];
}
else {
vErrors.push(err83);
}
errors++;
}
if(!(((((data45 === "ephemeral") || (data45 === "7d")) || (data45 === "30d")) || (data45 === "90d")) || (data45 === "permanent"))){
const err84 = {instancePath:instancePath+"/lifecycle/retention",schemaPath:"#/$defs/Lifecycle/properties/retention/enum",keyword:"enum",params:{allowedValues: schema38.properties.retention.enum},message:"must be equal to one of the allowed values"};
if(vErrors === null){
vErrors = [err84];
}
else {
vErrors.push(err84);
}
errors++;
}
}
if(data44.expires_at !== undefined && func0.call(data44, "expires_at")){
if(typeof data44.expires_at !== "string"){
const err85 = {instancePath:instancePath+"/lifecycle/expires_at",schemaPath:"#/$defs/Lifecycle/properties/expires_at/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err85];
}
else {
vErrors.push(err85);
}
errors++;
}
}
if(data44.visibility !== undefined && func0.call(data44, "visibility")){
let data47 = data44.visibility;
if(typeof data47 !== "string"){
const err86 = {instancePath:instancePath+"/lifecycle/visibility",schemaPath:"#/$defs/Lifecycle/properties/visibility/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err86];
}
else {
vErrors.push(err86);
}
errors++;
}
if(!((((data47 === "private") || (data47 === "team")) || (data47 === "organization")) || (data47 === "public"))){
const err87 = {instancePath:instancePath+"/lifecycle/visibility",schemaPath:"#/$defs/Lifecycle/properties/visibility/enum",keyword:"enum",params:{allowedValues: schema38.properties.visibility.enum},message:"must be equal to one of the allowed values"};
if(vErrors === null){
vErrors = [err87];
}
else {
vErrors.push(err87);
}
errors++;
}
}
if(data44.status !== undefined && func0.call(data44, "status")){
let data48 = data44.status;
if(typeof data48 !== "string"){
const err88 = {instancePath:instancePath+"/lifecycle/status",schemaPath:"#/$defs/Lifecycle/properties/status/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err88];
}
else {
vErrors.push(err88);
}
errors++;
}
if(!((((((data48 === "draft") || (data48 === "active")) || (data48 === "needs_approval")) || (data48 === "final")) || (data48 === "superseded")) || (data48 === "archived"))){
const err89 = {instancePath:instancePath+"/lifecycle/status",schemaPath:"#/$defs/Lifecycle/properties/status/enum",keyword:"enum",params:{allowedValues: schema38.properties.status.enum},message:"must be equal to one of the allowed values"};
if(vErrors === null){
vErrors = [err89];
}
else {
vErrors.push(err89);
}
errors++;
}
}
if(data44.superseded_by !== undefined && func0.call(data44, "superseded_by")){
if(typeof data44.superseded_by !== "string"){
const err90 = {instancePath:instancePath+"/lifecycle/superseded_by",schemaPath:"#/$defs/Lifecycle/properties/superseded_by/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err90];
}
else {
vErrors.push(err90);
}
errors++;
}
}
if(data44.tags !== undefined && func0.call(data44, "tags")){
let data50 = data44.tags;
if(Array.isArray(data50)){
const len1 = data50.length;
for(let i1=0; i1<len1; i1++){
if(typeof data50[i1] !== "string"){
const err91 = {instancePath:instancePath+"/lifecycle/tags/" + i1,schemaPath:"#/$defs/Lifecycle/properties/tags/items/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err91];
}
else {
vErrors.push(err91);
}
errors++;
}
}
}
else {
const err92 = {instancePath:instancePath+"/lifecycle/tags",schemaPath:"#/$defs/Lifecycle/properties/tags/type",keyword:"type",params:{type: "array"},message:"must be array"};
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
const err93 = {instancePath:instancePath+"/lifecycle",schemaPath:"#/$defs/Lifecycle/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err93];
}
else {
vErrors.push(err93);
}
errors++;
}
}
if(data.handoff !== undefined && func0.call(data, "handoff")){
let data52 = data.handoff;
if(data52 && typeof data52 == "object" && !Array.isArray(data52)){
if(data52.target_agent !== undefined && func0.call(data52, "target_agent")){
if(typeof data52.target_agent !== "string"){
const err94 = {instancePath:instancePath+"/handoff/target_agent",schemaPath:"#/$defs/Routing/properties/target_agent/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err94];
}
else {
vErrors.push(err94);
}
errors++;
}
}
if(data52.target_role !== undefined && func0.call(data52, "target_role")){
if(typeof data52.target_role !== "string"){
const err95 = {instancePath:instancePath+"/handoff/target_role",schemaPath:"#/$defs/Routing/properties/target_role/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err95];
}
else {
vErrors.push(err95);
}
errors++;
}
}
if(data52.expects_response !== undefined && func0.call(data52, "expects_response")){
if(typeof data52.expects_response !== "boolean"){
const err96 = {instancePath:instancePath+"/handoff/expects_response",schemaPath:"#/$defs/Routing/properties/expects_response/type",keyword:"type",params:{type: "boolean"},message:"must be boolean"};
if(vErrors === null){
vErrors = [err96];
}
else {
vErrors.push(err96);
}
errors++;
}
}
if(data52.response_deadline !== undefined && func0.call(data52, "response_deadline")){
if(typeof data52.response_deadline !== "string"){
const err97 = {instancePath:instancePath+"/handoff/response_deadline",schemaPath:"#/$defs/Routing/properties/response_deadline/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err97];
}
else {
vErrors.push(err97);
}
errors++;
}
}
if(data52.parent_artifact_ids !== undefined && func0.call(data52, "parent_artifact_ids")){
let data57 = data52.parent_artifact_ids;
if(Array.isArray(data57)){
const len2 = data57.length;
for(let i2=0; i2<len2; i2++){
if(typeof data57[i2] !== "string"){
const err98 = {instancePath:instancePath+"/handoff/parent_artifact_ids/" + i2,schemaPath:"#/$defs/Routing/properties/parent_artifact_ids/items/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err98];
}
else {
vErrors.push(err98);
}
errors++;
}
}
}
else {
const err99 = {instancePath:instancePath+"/handoff/parent_artifact_ids",schemaPath:"#/$defs/Routing/properties/parent_artifact_ids/type",keyword:"type",params:{type: "array"},message:"must be array"};
if(vErrors === null){
vErrors = [err99];
}
else {
vErrors.push(err99);
}
errors++;
}
}
if(data52.context !== undefined && func0.call(data52, "context")){
let data59 = data52.context;
if(!(data59 && typeof data59 == "object" && !Array.isArray(data59))){
const err100 = {instancePath:instancePath+"/handoff/context",schemaPath:"#/$defs/Routing/properties/context/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err100];
}
else {
vErrors.push(err100);
}
errors++;
}
}
if(data52.priority !== undefined && func0.call(data52, "priority")){
let data60 = data52.priority;
if(typeof data60 !== "string"){
const err101 = {instancePath:instancePath+"/handoff/priority",schemaPath:"#/$defs/Routing/properties/priority/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err101];
}
else {
vErrors.push(err101);
}
errors++;
}
if(!((((data60 === "low") || (data60 === "normal")) || (data60 === "high")) || (data60 === "urgent"))){
const err102 = {instancePath:instancePath+"/handoff/priority",schemaPath:"#/$defs/Routing/properties/priority/enum",keyword:"enum",params:{allowedValues: schema39.properties.priority.enum},message:"must be equal to one of the allowed values"};
if(vErrors === null){
vErrors = [err102];
}
else {
vErrors.push(err102);
}
errors++;
}
}
}
else {
const err103 = {instancePath:instancePath+"/handoff",schemaPath:"#/$defs/Routing/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err103];
}
else {
vErrors.push(err103);
}
errors++;
}
}
if(data.extensions !== undefined && func0.call(data, "extensions")){
let data61 = data.extensions;
if(!(data61 && typeof data61 == "object" && !Array.isArray(data61))){
const err104 = {instancePath:instancePath+"/extensions",schemaPath:"#/properties/extensions/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err104];
}
else {
vErrors.push(err104);
}
errors++;
}
}
}
else {
const err105 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err105];
}
else {
vErrors.push(err105);
}
errors++;
}
validate20.errors = vErrors;
evaluated0.props = props0;
return errors === 0;
}
validate20.evaluated = {"dynamicProps":true,"dynamicItems":false};
