// Generated from src/spec/iap/result.schema.ts by `npm run generate`. Do not edit.
"use strict";
export const validate = validate20;
export default validate20;
const schema31 = {"$schema":"https://json-schema.org/draft/2020-12/schema","type":"object","required":["task_id","status"],"properties":{"iap_version":{"type":"string"},"task_id":{"type":"string","minLength":1},"status":{"type":"string","enum":["complete","partial","failed","in_progress"]},"result":{},"error":{"type":"string"},"criteria_met":{"type":"array","items":{"type":"string"}},"criteria_unmet":{"type":"array","items":{"type":"string"}},"metadata":{"$ref":"#/$defs/ResultMetadata"}},"$defs":{"ResultMetadata":{"type":"object","properties":{"started_at":{"type":"string"},"completed_at":{"type":"string"},"tokens_used":{"type":"integer","minimum":0},"agent_id":{"type":"string"}}}}};
const schema32 = {"type":"object","properties":{"started_at":{"type":"string"},"completed_at":{"type":"string"},"tokens_used":{"type":"integer","minimum":0},"agent_id":{"type":"string"}}};
const func0 = Object.prototype.hasOwnProperty;
const func64 = (text) => [...text].length;

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
if((data.task_id === undefined) || (!(func0.call(data, "task_id")))){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "task_id"},message:"must have required property '"+"task_id"+"'"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if((data.status === undefined) || (!(func0.call(data, "status")))){
const err1 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "status"},message:"must have required property '"+"status"+"'"};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
if(data.iap_version !== undefined && func0.call(data, "iap_version")){
if(typeof data.iap_version !== "string"){
const err2 = {instancePath:instancePath+"/iap_version",schemaPath:"#/properties/iap_version/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
}
if(data.task_id !== undefined && func0.call(data, "task_id")){
let data1 = data.task_id;
if(typeof data1 === "string"){
if(func64(data1) < 1){
const err3 = {instancePath:instancePath+"/task_id",schemaPath:"#/properties/task_id/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"};
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
const err4 = {instancePath:instancePath+"/task_id",schemaPath:"#/properties/task_id/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
}
if(data.status !== undefined && func0.call(data, "status")){
let data2 = data.status;
if(typeof data2 !== "string"){
const err5 = {instancePath:instancePath+"/status",schemaPath:"#/properties/status/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
if(!((((data2 === "complete") || (data2 === "partial")) || (data2 === "failed")) || (data2 === "in_progress"))){
const err6 = {instancePath:instancePath+"/status",schemaPath:"#/properties/status/enum",keyword:"enum",params:{allowedValues: schema31.properties.status.enum},message:"must be equal to one of the allowed values"};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
}
if(data.error !== undefined && func0.call(data, "error")){
if(typeof data.error !== "string"){
const err7 = {instancePath:instancePath+"/error",schemaPath:"#/properties/error/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
}
if(data.criteria_met !== undefined && func0.call(data, "criteria_met")){
let data4 = data.criteria_met;
if(Array.isArray(data4)){
const len0 = data4.length;
for(let i0=0; i0<len0; i0++){
if(typeof data4[i0] !== "string"){
const err8 = {instancePath:instancePath+"/criteria_met/" + i0,schemaPath:"#/properties/criteria_met/items/type",keyword:"type",params:{type: "string"},message:"must be string"};
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
const err9 = {instancePath:instancePath+"/criteria_met",schemaPath:"#/properties/criteria_met/type",keyword:"type",params:{type: "array"},message:"must be array"};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
}
if(data.criteria_unmet !== undefined && func0.call(data, "criteria_unmet")){
let data6 = data.criteria_unmet;
if(Array.isArray(data6)){
const len1 = data6.length;
for(let i1=0; i1<len1; i1++){
if(typeof data6[i1] !== "string"){
const err10 = {instancePath:instancePath+"/criteria_unmet/" + i1,schemaPath:"#/properties/criteria_unmet/items/type",keyword:"type",params:{type: "string"},message:"must be string"};
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
const err11 = {instancePath:instancePath+"/criteria_unmet",schemaPath:"#/properties/criteria_unmet/type",keyword:"type",params:{type: "array"},message:"must be array"};
if(vErrors === null){
vErrors = [err11];
}
else {
vErrors.push(err11);
}
errors++;
}
}
if(data.metadata !== undefined && func0.call(data, "metadata")){
let data8 = data.metadata;
if(data8 && typeof data8 == "object" && !Array.isArray(data8)){
if(data8.started_at !== undefined && func0.call(data8, "started_at")){
if(typeof data8.started_at !== "string"){
const err12 = {instancePath:instancePath+"/metadata/started_at",schemaPath:"#/$defs/ResultMetadata/properties/started_at/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err12];
}
else {
vErrors.push(err12);
}
errors++;
}
}
if(data8.completed_at !== undefined && func0.call(data8, "completed_at")){
if(typeof data8.completed_at !== "string"){
const err13 = {instancePath:instancePath+"/metadata/completed_at",schemaPath:"#/$defs/ResultMetadata/properties/completed_at/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err13];
}
else {
vErrors.push(err13);
}
errors++;
}
}
if(data8.tokens_used !== undefined && func0.call(data8, "tokens_used")){
let data11 = data8.tokens_used;
if(!(((typeof data11 == "number") && (!(data11 % 1) && !isNaN(data11))) && (isFinite(data11)))){
const err14 = {instancePath:instancePath+"/metadata/tokens_used",schemaPath:"#/$defs/ResultMetadata/properties/tokens_used/type",keyword:"type",params:{type: "integer"},message:"must be integer"};
if(vErrors === null){
vErrors = [err14];
}
else {
vErrors.push(err14);
}
errors++;
}
if((typeof data11 == "number") && (isFinite(data11))){
if(data11 < 0 || isNaN(data11)){
const err15 = {instancePath:instancePath+"/metadata/tokens_used",schemaPath:"#/$defs/ResultMetadata/properties/tokens_used/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"};
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
if(data8.agent_id !== undefined && func0.call(data8, "agent_id")){
if(typeof data8.agent_id !== "string"){
const err16 = {instancePath:instancePath+"/metadata/agent_id",schemaPath:"#/$defs/ResultMetadata/properties/agent_id/type",keyword:"type",params:{type: "string"},message:"must be string"};
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
const err17 = {instancePath:instancePath+"/metadata",schemaPath:"#/$defs/ResultMetadata/type",keyword:"type",params:{type: "object"},message:"must be object"};
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
validate20.errors = vErrors;
return errors === 0;
}
validate20.evaluated = {"props":{"iap_version":true,"task_id":true,"status":true,"result":true,"error":true,"criteria_met":true,"criteria_unmet":true,"metadata":true},"dynamicProps":false,"dynamicItems":false};
