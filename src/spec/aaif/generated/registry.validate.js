// Generated from src/spec/aaif/registry.schema.ts by `npm run generate`. Do not edit.
"use strict";
export const validate = validate20;
export default validate20;
const schema31 = {"$schema":"https://json-schema.org/draft/2020-12/schema","$id":"urn:waybill:schema:aaif:registry:3.4.0","type":"object","required":["registry","sc_standard","description","registration_policy","entries"],"properties":{"registry":{"type":"string","pattern":"^aaif-[a-z0-9-]+$"},"sc_standard":{"const":"SC-006"},"description":{"type":"string"},"registration_policy":{"type":"string"},"updated_at":{"type":"string"},"entries":{"type":"array","items":{"$ref":"#/$defs/RegistryEntry"},"minItems":1}},"additionalProperties":false,"$defs":{"RegistryEntry":{"type":"object","required":["id","status"],"properties":{"id":{"type":"string","minLength":1},"status":{"type":"string","enum":["standard","provisional","deprecated","reserved"]},"since":{"type":["string","null"]}}}}};
const schema32 = {"type":"object","required":["id","status"],"properties":{"id":{"type":"string","minLength":1},"status":{"type":"string","enum":["standard","provisional","deprecated","reserved"]},"since":{"type":["string","null"]}}};
const func0 = Object.prototype.hasOwnProperty;
const func74 = (text) => [...text].length;
const pattern4 = new RegExp("^aaif-[a-z0-9-]+$", "u");

function validate20(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
/*# sourceURL="urn:waybill:schema:aaif:registry:3.4.0" */;
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
if((data.registry === undefined) || (!(func0.call(data, "registry")))){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "registry"},message:"must have required property '"+"registry"+"'"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if((data.sc_standard === undefined) || (!(func0.call(data, "sc_standard")))){
const err1 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "sc_standard"},message:"must have required property '"+"sc_standard"+"'"};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
if((data.description === undefined) || (!(func0.call(data, "description")))){
const err2 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "description"},message:"must have required property '"+"description"+"'"};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
if((data.registration_policy === undefined) || (!(func0.call(data, "registration_policy")))){
const err3 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "registration_policy"},message:"must have required property '"+"registration_policy"+"'"};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
if((data.entries === undefined) || (!(func0.call(data, "entries")))){
const err4 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "entries"},message:"must have required property '"+"entries"+"'"};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
for(const key0 of Object.keys(data)){
if(!((((((key0 === "registry") || (key0 === "sc_standard")) || (key0 === "description")) || (key0 === "registration_policy")) || (key0 === "updated_at")) || (key0 === "entries"))){
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
if(data.registry !== undefined && func0.call(data, "registry")){
let data0 = data.registry;
if(typeof data0 === "string"){
if(!pattern4.test(data0)){
const err6 = {instancePath:instancePath+"/registry",schemaPath:"#/properties/registry/pattern",keyword:"pattern",params:{pattern: "^aaif-[a-z0-9-]+$"},message:"must match pattern \""+"^aaif-[a-z0-9-]+$"+"\""};
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
const err7 = {instancePath:instancePath+"/registry",schemaPath:"#/properties/registry/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
}
if(data.sc_standard !== undefined && func0.call(data, "sc_standard")){
if("SC-006" !== data.sc_standard){
const err8 = {instancePath:instancePath+"/sc_standard",schemaPath:"#/properties/sc_standard/const",keyword:"const",params:{allowedValue: "SC-006"},message:"must be equal to constant"};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
}
if(data.description !== undefined && func0.call(data, "description")){
if(typeof data.description !== "string"){
const err9 = {instancePath:instancePath+"/description",schemaPath:"#/properties/description/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
}
if(data.registration_policy !== undefined && func0.call(data, "registration_policy")){
if(typeof data.registration_policy !== "string"){
const err10 = {instancePath:instancePath+"/registration_policy",schemaPath:"#/properties/registration_policy/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
}
}
if(data.updated_at !== undefined && func0.call(data, "updated_at")){
if(typeof data.updated_at !== "string"){
const err11 = {instancePath:instancePath+"/updated_at",schemaPath:"#/properties/updated_at/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err11];
}
else {
vErrors.push(err11);
}
errors++;
}
}
if(data.entries !== undefined && func0.call(data, "entries")){
let data5 = data.entries;
if(Array.isArray(data5)){
if(data5.length < 1){
const err12 = {instancePath:instancePath+"/entries",schemaPath:"#/properties/entries/minItems",keyword:"minItems",params:{limit: 1},message:"must NOT have fewer than 1 items"};
if(vErrors === null){
vErrors = [err12];
}
else {
vErrors.push(err12);
}
errors++;
}
const len0 = data5.length;
for(let i0=0; i0<len0; i0++){
let data6 = data5[i0];
if(data6 && typeof data6 == "object" && !Array.isArray(data6)){
if((data6.id === undefined) || (!(func0.call(data6, "id")))){
const err13 = {instancePath:instancePath+"/entries/" + i0,schemaPath:"#/$defs/RegistryEntry/required",keyword:"required",params:{missingProperty: "id"},message:"must have required property '"+"id"+"'"};
if(vErrors === null){
vErrors = [err13];
}
else {
vErrors.push(err13);
}
errors++;
}
if((data6.status === undefined) || (!(func0.call(data6, "status")))){
const err14 = {instancePath:instancePath+"/entries/" + i0,schemaPath:"#/$defs/RegistryEntry/required",keyword:"required",params:{missingProperty: "status"},message:"must have required property '"+"status"+"'"};
if(vErrors === null){
vErrors = [err14];
}
else {
vErrors.push(err14);
}
errors++;
}
if(data6.id !== undefined && func0.call(data6, "id")){
let data7 = data6.id;
if(typeof data7 === "string"){
if(func74(data7) < 1){
const err15 = {instancePath:instancePath+"/entries/" + i0+"/id",schemaPath:"#/$defs/RegistryEntry/properties/id/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"};
if(vErrors === null){
vErrors = [err15];
}
else {
vErrors.push(err15);
}
errors++;
}
}
else {
const err16 = {instancePath:instancePath+"/entries/" + i0+"/id",schemaPath:"#/$defs/RegistryEntry/properties/id/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err16];
}
else {
vErrors.push(err16);
}
errors++;
}
}
if(data6.status !== undefined && func0.call(data6, "status")){
let data8 = data6.status;
if(typeof data8 !== "string"){
const err17 = {instancePath:instancePath+"/entries/" + i0+"/status",schemaPath:"#/$defs/RegistryEntry/properties/status/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err17];
}
else {
vErrors.push(err17);
}
errors++;
}
if(!((((data8 === "standard") || (data8 === "provisional")) || (data8 === "deprecated")) || (data8 === "reserved"))){
const err18 = {instancePath:instancePath+"/entries/" + i0+"/status",schemaPath:"#/$defs/RegistryEntry/properties/status/enum",keyword:"enum",params:{allowedValues: schema32.properties.status.enum},message:"must be equal to one of the allowed values"};
if(vErrors === null){
vErrors = [err18];
}
else {
vErrors.push(err18);
}
errors++;
}
}
if(data6.since !== undefined && func0.call(data6, "since")){
let data9 = data6.since;
if((typeof data9 !== "string") && (data9 !== null)){
const err19 = {instancePath:instancePath+"/entries/" + i0+"/since",schemaPath:"#/$defs/RegistryEntry/properties/since/type",keyword:"type",params:{type: schema32.properties.since.type},message:"must be string,null"};
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
const err20 = {instancePath:instancePath+"/entries/" + i0,schemaPath:"#/$defs/RegistryEntry/type",keyword:"type",params:{type: "object"},message:"must be object"};
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
const err21 = {instancePath:instancePath+"/entries",schemaPath:"#/properties/entries/type",keyword:"type",params:{type: "array"},message:"must be array"};
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
const err22 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err22];
}
else {
vErrors.push(err22);
}
errors++;
}
validate20.errors = vErrors;
return errors === 0;
}
validate20.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};
