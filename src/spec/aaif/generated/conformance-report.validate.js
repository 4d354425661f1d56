// Generated from src/spec/aaif/conformance-report.schema.ts by `npm run generate`. Do not edit.
"use strict";
export const validate = validate20;
export default validate20;
const schema31 = {"$schema":"https://json-schema.org/draft/2020-12/schema","$id":"urn:waybill:schema:aaif:conformance-report:3.4.0","type":"object","required":["sc_standard","report","platform","claims"],"properties":{"_comment":{"type":"string"},"sc_standard":{"const":"SC-006"},"report":{"$ref":"#/$defs/ReportInfo"},"platform":{"$ref":"#/$defs/ReportPlatform"},"claims":{"type":"array","items":{"$ref":"#/$defs/Claim"},"minItems":1},"supported":{"$ref":"#/$defs/SupportedValues"},"attestation":{"$ref":"#/$defs/Attestation"}},"additionalProperties":false,"patternProperties":{"^x-":{}},"$defs":{"ReportInfo":{"type":"object","required":["generated_at","aaif_versions"],"properties":{"generated_at":{"type":"string"},"expires_at":{"type":"string"},"aaif_versions":{"type":"array","items":{"type":"string","pattern":"^\\d+\\.\\d+\\.\\d+$"},"minItems":1},"report_url":{"type":"string"}},"additionalProperties":false},"ReportPlatform":{"type":"object","required":["name"],"properties":{"name":{"type":"string"},"version":{"type":"string"},"vendor":{"type":"string"},"manifest_url":{"type":"string"},"homepage":{"type":"string"}},"additionalProperties":false},"Claim":{"type":"object","required":["level","direction","test_suite"],"properties":{"level":{"type":"string","enum":["Core","Tooled","Portable","Multi-agent","Observable","Enterprise","Stateful"]},"direction":{"type":"string","enum":["producer","consumer","both"]},"test_suite":{"$ref":"#/$defs/TestSuite"},"roundtrip":{"type":"array","items":{"$ref":"#/$defs/Roundtrip"}}},"additionalProperties":false},"TestSuite":{"type":"object","required":["corpus","passed","total"],"properties":{"corpus":{"type":"string"},"passed":{"type":"integer","minimum":0},"total":{"type":"integer","minimum":0},"ran_at":{"type":"string"},"log_url":{"type":"string"}},"additionalProperties":false},"Roundtrip":{"type":"object","required":["framework","lossless_fields"],"properties":{"framework":{"type":"string"},"lossless_fields":{"type":"array","items":{"type":"string"}},"lossy_fields":{"type":"array","items":{"type":"string"}}},"additionalProperties":false},"SupportedValues":{"type":"object","properties":{"providers":{"type":"array","items":{"type":"string"}},"capabilities":{"type":"array","items":{"type":"string"}},"condition_languages":{"type":"array","items":{"type":"string"}},"vault_providers":{"type":"array","items":{"type":"string"}},"memory_backends":{"type":"array","items":{"type":"string"}},"tool_protocols":{"type":"array","items":{"type":"string"}}},"additionalProperties":false},"Attestation":{"type":"object","properties":{"attested_by":{"type":"string"},"contact":{"type":"string"},"signature":{"type":"string"}},"additionalProperties":false}}};
const schema32 = {"type":"object","required":["generated_at","aaif_versions"],"properties":{"generated_at":{"type":"string"},"expires_at":{"type":"string"},"aaif_versions":{"type":"array","items":{"type":"string","pattern":"^\\d+\\.\\d+\\.\\d+$"},"minItems":1},"report_url":{"type":"string"}},"additionalProperties":false};
const schema33 = {"type":"object","required":["name"],"properties":{"name":{"type":"string"},"version":{"type":"string"},"vendor":{"type":"string"},"manifest_url":{"type":"string"},"homepage":{"type":"string"}},"additionalProperties":false};
const schema37 = {"type":"object","properties":{"providers":{"type":"array","items":{"type":"string"}},"capabilities":{"type":"array","items":{"type":"string"}},"condition_languages":{"type":"array","items":{"type":"string"}},"vault_providers":{"type":"array","items":{"type":"string"}},"memory_backends":{"type":"array","items":{"type":"string"}},"tool_protocols":{"type":"array","items":{"type":"string"}}},"additionalProperties":false};
const schema38 = {"type":"object","properties":{"attested_by":{"type":"string"},"contact":{"type":"string"},"signature":{"type":"string"}},"additionalProperties":false};
const func0 = Object.prototype.hasOwnProperty;
const pattern4 = new RegExp("^x-", "u");
const pattern5 = new RegExp("^\\d+\\.\\d+\\.\\d+$", "u");
const schema34 = {"type":"object","required":["level","direction","test_suite"],"properties":{"level":{"type":"string","enum":["Core","Tooled","Portable","Multi-agent","Observable","Enterprise","Stateful"]},"direction":{"type":"string","enum":["producer","consumer","both"]},"test_suite":{"$ref":"#/$defs/TestSuite"},"roundtrip":{"type":"array","items":{"$ref":"#/$defs/Roundtrip"}}},"additionalProperties":false};
const schema35 = {"type":"object","required":["corpus","passed","total"],"properties":{"corpus":{"type":"string"},"passed":{"type":"integer","minimum":0},"total":{"type":"integer","minimum":0},"ran_at":{"type":"string"},"log_url":{"type":"string"}},"additionalProperties":false};
const schema36 = {"type":"object","required":["framework","lossless_fields"],"properties":{"framework":{"type":"string"},"lossless_fields":{"type":"array","items":{"type":"string"}},"lossy_fields":{"type":"array","items":{"type":"string"}}},"additionalProperties":false};

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
if((data.level === undefined) || (!(func0.call(data, "level")))){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "level"},message:"must have required property '"+"level"+"'"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if((data.direction === undefined) || (!(func0.call(data, "direction")))){
const err1 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "direction"},message:"must have required property '"+"direction"+"'"};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
if((data.test_suite === undefined) || (!(func0.call(data, "test_suite")))){
const err2 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "test_suite"},message:"must have required property '"+"test_suite"+"'"};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
for(const key0 of Object.keys(data)){
if(!((((key0 === "level") || (key0 === "direction")) || (key0 === "test_suite")) || (key0 === "roundtrip"))){
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
if(data.level !== undefined && func0.call(data, "level")){
let data0 = data.level;
if(typeof data0 !== "string"){
const err4 = {instancePath:instancePath+"/level",schemaPath:"#/properties/level/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
if(!(((((((data0 === "Core") || (data0 === "Tooled")) || (data0 === "Portable")) || (data0 === "Multi-agent")) || (data0 === "Observable")) || (data0 === "Enterprise")) || (data0 === "Stateful"))){
const err5 = {instancePath:instancePath+"/level",schemaPath:"#/properties/level/enum",keyword:"enum",params:{allowedValues: schema34.properties.level.enum},message:"must be equal to one of the allowed values"};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
}
if(data.direction !== undefined && func0.call(data, "direction")){
let data1 = data.direction;
if(typeof data1 !== "string"){
const err6 = {instancePath:instancePath+"/direction",schemaPath:"#/properties/direction/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
if(!(((data1 === "producer") || (data1 === "consumer")) || (data1 === "both"))){
const err7 = {instancePath:instancePath+"/direction",schemaPath:"#/properties/direction/enum",keyword:"enum",params:{allowedValues: schema34.properties.direction.enum},message:"must be equal to one of the allowed values"};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
}
if(data.test_suite !== undefined && func0.call(data, "test_suite")){
let data2 = data.test_suite;
if(data2 && typeof data2 == "object" && !Array.isArray(data2)){
if((data2.corpus === undefined) || (!(func0.call(data2, "corpus")))){
const err8 = {instancePath:instancePath+"/test_suite",schemaPath:"#/$defs/TestSuite/required",keyword:"required",params:{missingProperty: "corpus"},message:"must have required property '"+"corpus"+"'"};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
if((data2.passed === undefined) || (!(func0.call(data2, "passed")))){
const err9 = {instancePath:instancePath+"/test_suite",schemaPath:"#/$defs/TestSuite/required",keyword:"required",params:{missingProperty: "passed"},message:"must have required property '"+"passed"+"'"};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
if((data2.total === undefined) || (!(func0.call(data2, "total")))){
const err10 = {instancePath:instancePath+"/test_suite",schemaPath:"#/$defs/TestSuite/required",keyword:"required",params:{missingProperty: "total"},message:"must have required property '"+"total"+"'"};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
}
for(const key1 of Object.keys(data2)){
if(!(((((key1 === "corpus") || (key1 === "passed")) || (key1 === "total")) || (key1 === "ran_at")) || (key1 === "log_url"))){
const err11 = {instancePath:instancePath+"/test_suite",schemaPath:"#/$defs/TestSuite/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key1},message:"must NOT have additional properties"};
if(vErrors === null){
vErrors = [err11];
}
else {
vErrors.push(err11);
}
errors++;
}
}
if(data2.corpus !== undefined && func0.call(data2, "corpus")){
if(typeof data2.corpus !== "string"){
const err12 = {instancePath:instancePath+"/test_suite/corpus",schemaPath:"#/$defs/TestSuite/properties/corpus/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err12];
}
else {
vErrors.push(err12);
}
errors++;
}
}
if(data2.passed !== undefined && func0.call(data2, "passed")){
let data4 = data2.passed;
if(!(((typeof data4 == "number") && (!(data4 % 1) && !isNaN(data4))) && (isFinite(data4)))){
const err13 = {instancePath:instancePath+"/test_suite/passed",schemaPath:"#/$defs/TestSuite/properties/passed/type",keyword:"type",params:{type: "integer"},message:"must be integer"};
if(vErrors === null){
vErrors = [err13];
}
else {
vErrors.push(err13);
}
errors++;
}
if((typeof data4 == "number") && (isFinite(data4))){
if(data4 < 0 || isNaN(data4)){
const err14 = {instancePath:instancePath+"/test_suite/passed",schemaPath:"#/$defs/TestSuite/properties/passed/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"};
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
if(data2.total !== undefined && func0.call(data2, "total")){
let data5 = data2.total;
if(!(((typeof data5 == "number") && (!(data5 % 1) && !isNaN(data5))) && (isFinite(data5)))){
const err15 = {instancePath:instancePath+"/test_suite/total",schemaPath:"#/$defs/TestSuite/properties/total/type",keyword:"type",params:{type: "integer"},message:"must be integer"};
if(vErrors === null){
vErrors = [err15];
}
else {
vErrors.push(err15);
}
errors++;
}
if((typeof data5 == "number") && (isFinite(data5))){
if(data5 < 0 || isNaN(data5)){
const err16 = {instancePath:instancePath+"/test_suite/total",schemaPath:"#/$defs/TestSuite/properties/total/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"};
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
if(data2.ran_at !== undefined && func0.call(data2, "ran_at")){
if(typeof data2.ran_at !== "string"){
const err17 = {instancePath:instancePath+"/test_suite/ran_at",schemaPath:"#/$defs/TestSuite/properties/ran_at/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err17];
}
else {
vErrors.push(err17);
}
errors++;
}
}
if(data2.log_url !== undefined && func0.call(data2, "log_url")){
if(typeof data2.log_url !== "string"){
const err18 = {instancePath:instancePath+"/test_suite/log_url",schemaPath:"#/$defs/TestSuite/properties/log_url/type",keyword:"type",params:{type: "string"},message:"must be string"};
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
else {
const err19 = {instancePath:instancePath+"/test_suite",schemaPath:"#/$defs/TestSuite/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err19];
}
else {
vErrors.push(err19);
}
errors++;
}
}
if(data.roundtrip !== undefined && func0.call(data, "roundtrip")){
let data8 = data.roundtrip;
if(Array.isArray(data8)){
const len0 = data8.length;
for(let i0=0; i0<len0; i0++){
let data9 = data8[i0];
if(data9 && typeof data9 == "object" && !Array.isArray(data9)){
if((data9.framework === undefined) || (!(func0.call(data9, "framework")))){
const err20 = {instancePath:instancePath+"/roundtrip/" + i0,schemaPath:"#/$defs/Roundtrip/required",keyword:"required",params:{missingProperty: "framework"},message:"must have required property '"+"framework"+"'"};
if(vErrors === null){
vErrors = [err20];
}
else {
vErrors.push(err20);
}
errors++;
}
if((data9.lossless_fields === undefined) || (!(func0.call(data9, "lossless_fields")))){
const err21 = {instancePath:instancePath+"/roundtrip/" + i0,schemaPath:"#/$defs/Roundtrip/required",keyword:"required",params:{missingProperty: "lossless_fields"},message:"must have required property '"+"lossless_fields"+"'"};
if(vErrors === null){
vErrors = [err21];
}
else {
vErrors.push(err21);
}
errors++;
}
for(const key2 of Object.keys(data9)){
if(!(((key2 === "framework") || (key2 === "lossless_fields")) || (key2 === "lossy_fields"))){
const err22 = {instancePath:instancePath+"/roundtrip/" + i0,schemaPath:"#/$defs/Roundtrip/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key2},message:"must NOT have additional properties"};
if(vErrors === null){
vErrors = [err22];
}
else {
vErrors.push(err22);
}
errors++;
}
}
if(data9.framework !== undefined && func0.call(data9, "framework")){
if(typeof data9.framework !== "string"){
const err23 = {instancePath:instancePath+"/roundtrip/" + i0+"/framework",schemaPath:"#/$defs/Roundtrip/properties/framework/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err23];
}
else {
vErrors.push(err23);
}
errors++;
}
}
if(data9.lossless_fields !== undefined && func0.call(data9, "lossless_fields")){
let data11 = data9.lossless_fields;
if(Array.isArray(data11)){
const len1 = data11.length;
for(let i1=0; i1<len1; i1++){
if(typeof data11[i1] !== "string"){
const err24 = {instancePath:instancePath+"/roundtrip/" + i0+"/lossless_fields/" + i1,schemaPath:"#/$defs/Roundtrip/properties/lossless_fields/items/type",keyword:"type",params:{type: "string"},message:"must be string"};
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
const err25 = {instancePath:instancePath+"/roundtrip/" + i0+"/lossless_fields",schemaPath:"#/$defs/Roundtrip/properties/lossless_fields/type",keyword:"type",params:{type: "array"},message:"must be array"};
if(vErrors === null){
vErrors = [err25];
}
else {
vErrors.push(err25);
}
errors++;
}
}
if(data9.lossy_fields !== undefined && func0.call(data9, "lossy_fields")){
let data13 = data9.lossy_fields;
if(Array.isArray(data13)){
const len2 = data13.length;
for(let i2=0; i2<len2; i2++){
if(typeof data13[i2] !== "string"){
const err26 = {instancePath:instancePath+"/roundtrip/" + i0+"/lossy_fields/" + i2,schemaPath:"#/$defs/Roundtrip/properties/lossy_fields/items/type",keyword:"type",params:{type: "string"},message:"must be string"};
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
const err27 = {instancePath:instancePath+"/roundtrip/" + i0+"/lossy_fields",schemaPath:"#/$defs/Roundtrip/properties/lossy_fields/type",keyword:"type",params:{type: "array"},message:"must be array"};
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
const err28 = {instancePath:instancePath+"/roundtrip/" + i0,schemaPath:"#/$defs/Roundtrip/type",keyword:"type",params:{type: "object"},message:"must be object"};
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
const err29 = {instancePath:instancePath+"/roundtrip",schemaPath:"#/properties/roundtrip/type",keyword:"type",params:{type: "array"},message:"must be array"};
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
const err30 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err30];
}
else {
vErrors.push(err30);
}
errors++;
}
validate21.errors = vErrors;
return errors === 0;
}
validate21.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};


function validate20(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
/*# sourceURL="urn:waybill:schema:aaif:conformance-report:3.4.0" */;
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
if((data.report === undefined) || (!(func0.call(data, "report")))){
const err1 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "report"},message:"must have required property '"+"report"+"'"};
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
if((data.claims === undefined) || (!(func0.call(data, "claims")))){
const err3 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "claims"},message:"must have required property '"+"claims"+"'"};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
for(const key0 of Object.keys(data)){
if(!((((((((key0 === "_comment") || (key0 === "sc_standard")) || (key0 === "report")) || (key0 === "platform")) || (key0 === "claims")) || (key0 === "supported")) || (key0 === "attestation")) || (pattern4.test(key0)))){
const err4 = {instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
}
if(data._comment !== undefined && func0.call(data, "_comment")){
if(typeof data._comment !== "string"){
const err5 = {instancePath:instancePath+"/_comment",schemaPath:"#/properties/_comment/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
}
if(data.sc_standard !== undefined && func0.call(data, "sc_standard")){
if("SC-006" !== data.sc_standard){
const err6 = {instancePath:instancePath+"/sc_standard",schemaPath:"#/properties/sc_standard/const",keyword:"const",params:{allowedValue: "SC-006"},message:"must be equal to constant"};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
}
if(data.report !== undefined && func0.call(data, "report")){
let data2 = data.report;
if(data2 && typeof data2 == "object" && !Array.isArray(data2)){
if((data2.generated_at === undefined) || (!(func0.call(data2, "generated_at")))){
const err7 = {instancePath:instancePath+"/report",schemaPath:"#/$defs/ReportInfo/required",keyword:"required",params:{missingProperty: "generated_at"},message:"must have required property '"+"generated_at"+"'"};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
if((data2.aaif_versions === undefined) || (!(func0.call(data2, "aaif_versions")))){
const err8 = {instancePath:instancePath+"/report",schemaPath:"#/$defs/ReportInfo/required",keyword:"required",params:{missingProperty: "aaif_versions"},message:"must have required property '"+"aaif_versions"+"'"};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
for(const key1 of Object.keys(data2)){
if(!((((key1 === "generated_at") || (key1 === "expires_at")) || (key1 === "aaif_versions")) || (key1 === "report_url"))){
const err9 = {instancePath:instancePath+"/report",schemaPath:"#/$defs/ReportInfo/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key1},message:"must NOT have additional properties"};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
}
if(data2.generated_at !== undefined && func0.call(data2, "generated_at")){
if(typeof data2.generated_at !== "string"){
const err10 = {instancePath:instancePath+"/report/generated_at",schemaPath:"#/$defs/ReportInfo/properties/generated_at/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
}
}
if(data2.expires_at !== undefined && func0.call(data2, "expires_at")){
if(typeof data2.expires_at !== "string"){
const err11 = {instancePath:instancePath+"/report/expires_at",schemaPath:"#/$defs/ReportInfo/properties/expires_at/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err11];
}
else {
vErrors.push(err11);
}
errors++;
}
}
if(data2.aaif_versions !== undefined && func0.call(data2, "aaif_versions")){
let data5 = data2.aaif_versions;
if(Array.isArray(data5)){
if(data5.length < 1){
const err12 = {instancePath:instancePath+"/report/aaif_versions",schemaPath:"#/$defs/ReportInfo/properties/aaif_versions/minItems",keyword:"minItems",params:{limit: 1},message:"must NOT have fewer than 1 items"};
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
if(typeof data6 === "string"){
if(!pattern5.test(data6)){
const err13 = {instancePath:instancePath+"/report/aaif_versions/" + i0,schemaPath:"#/$defs/ReportInfo/properties/aaif_versions/items/pattern",keyword:"pattern",params:{pattern: "^\\d+\\.\\d+\\.\\d+$"},message:"must match pattern \""+"^\\d+\\.\\d+\\.\\d+$"+"\""};
if(vErrors === null){
vErrors = [err13];
}
else {
vErrors.push(err13);
}
errors++;
}
}
else {
const err14 = {instancePath:instancePath+"/report/aaif_versions/" + i0,schemaPath:"#/$defs/ReportInfo/properties/aaif_versions/items/type",keyword:"type",params:{type: "string"},message:"must be string"};
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
const err15 = {instancePath:instancePath+"/report/aaif_versions",schemaPath:"#/$defs/ReportInfo/properties/aaif_versions/type",keyword:"type",params:{type: "array"},message:"must be array"};
if(vErrors === null){
vErrors = [err15];
}
else {
vErrors.push(err15);
}
errors++;
}
}
if(data2.report_url !== undefined && func0.call(data2, "report_url")){
if(typeof data2.report_url !== "string"){
const err16 = {instancePath:instancePath+"/report/report_url",schemaPath:"#/$defs/ReportInfo/properties/report_url/type",keyword:"type",params:{type: "string"},message:"must be string"};
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
const err17 = {instancePath:instancePath+"/report",schemaPath:"#/$defs/ReportInfo/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err17];
}
else {
vErrors.push(err17);
}
errors++;
}
}
if(data.platform !== undefined && func0.call(data, "platform")){
let data8 = data.platform;
if(data8 && typeof data8 == "object" && !Array.isArray(data8)){
if((data8.name === undefined) || (!(func0.call(data8, "name")))){
const err18 = {instancePath:instancePath+"/platform",schemaPath:"#/$defs/ReportPlatform/required",keyword:"required",params:{missingProperty: "name"},message:"must have required property '"+"name"+"'"};
if(vErrors === null){
vErrors = [err18];
}
else {
vErrors.push(err18);
}
errors++;
}
for(const key2 of Object.keys(data8)){
if(!(((((key2 === "name") || (key2 === "version")) || (key2 === "vendor")) || (key2 === "manifest_url")) || (key2 === "homepage"))){
const err19 = {instancePath:instancePath+"/platform",schemaPath:"#/$defs/ReportPlatform/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key2},message:"must NOT have additional properties"};
if(vErrors === null){
vErrors = [err19];
}
else {
vErrors.push(err19);
}
errors++;
}
}
if(data8.name !== undefined && func0.call(data8, "name")){
if(typeof data8.name !== "string"){
const err20 = {instancePath:instancePath+"/platform/name",schemaPath:"#/$defs/ReportPlatform/properties/name/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err20];
}
else {
vErrors.push(err20);
}
errors++;
}
}
if(data8.version !== undefined && func0.call(data8, "version")){
if(typeof data8.version !== "string"){
const err21 = {instancePath:instancePath+"/platform/version",schemaPath:"#/$defs/ReportPlatform/properties/version/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err21];
}
else {
vErrors.push(err21);
}
errors++;
}
}
if(data8.vendor !== undefined && func0.call(data8, "vendor")){
if(typeof data8.vendor !== "string"){
const err22 = {instancePath:instancePath+"/platform/vendor",schemaPath:"#/$defs/ReportPlatform/properties/vendor/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err22];
}
else {
vErrors.push(err22);
}
errors++;
}
}
if(data8.manifest_url !== undefined && func0.call(data8, "manifest_url")){
if(typeof data8.manifest_url !== "string"){
const err23 = {instancePath:instancePath+"/platform/manifest_url",schemaPath:"#/$defs/ReportPlatform/properties/manifest_url/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err23];
}
else {
vErrors.push(err23);
}
errors++;
}
}
if(data8.homepage !== undefined && func0.call(data8, "homepage")){
if(typeof data8.homepage !== "string"){
const err24 = {instancePath:instancePath+"/platform/homepage",schemaPath:"#/$defs/ReportPlatform/properties/homepage/type",keyword:"type",params:{type: "string"},message:"must be string"};
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
const err25 = {instancePath:instancePath+"/platform",schemaPath:"#/$defs/ReportPlatform/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err25];
}
else {
vErrors.push(err25);
}
errors++;
}
}
if(data.claims !== undefined && func0.call(data, "claims")){
let data14 = data.claims;
if(Array.isArray(data14)){
if(data14.length < 1){
const err26 = {instancePath:instancePath+"/claims",schemaPath:"#/properties/claims/minItems",keyword:"minItems",params:{limit: 1},message:"must NOT have fewer than 1 items"};
if(vErrors === null){
vErrors = [err26];
}
else {
vErrors.push(err26);
}
errors++;
}
const len1 = data14.length;
for(let i1=0; i1<len1; i1++){
if(!(validate21(data14[i1], {instancePath:instancePath+"/claims/" + i1,parentData:data14,parentDataProperty:i1,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate21.errors : vErrors.concat(validate21.errors);
errors = vErrors.length;
}
}
}
else {
const err27 = {instancePath:instancePath+"/claims",schemaPath:"#/properties/claims/type",keyword:"type",params:{type: "array"},message:"must be array"};
if(vErrors === null){
vErrors = [err27];
}
else {
vErrors.push(err27);
}
errors++;
}
}
if(data.supported !== undefined && func0.call(data, "supported")){
let data16 = data.supported;
if(data16 && typeof data16 == "object" && !Array.isArray(data16)){
for(const key3 of Object.keys(data16)){
if(!((((((key3 === "providers") || (key3 === "capabilities")) || (key3 === "condition_languages")) || (key3 === "vault_providers")) || (key3 === "memory_backends")) || (key3 === "tool_protocols"))){
const err28 = {instancePath:instancePath+"/supported",schemaPath:"#/$defs/SupportedValues/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key3},message:"must NOT have additional properties"};
if(vErrors === null){
vErrors = [err28];
}
else {
vErrors.push(err28);
}
errors++;
}
}
if(data16.providers !== undefined && func0.call(data16, "providers")){
let data17 = data16.providers;
if(Array.isArray(data17)){
const len2 = data17.length;
for(let i2=0; i2<len2; i2++){
if(typeof data17[i2] !== "string"){
const err29 = {instancePath:instancePath+"/supported/providers/" + i2,schemaPath:"#/$defs/SupportedValues/properties/providers/items/type",keyword:"type",params:{type: "string"},message:"must be string"};
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
const err30 = {instancePath:instancePath+"/supported/providers",schemaPath:"#/$defs/SupportedValues/properties/providers/type",keyword:"type",params:{type: "array"},message:"must be array"};
if(vErrors === null){
vErrors = [err30];
}
else {
vErrors.push(err30);
}
errors++;
}
}
if(data16.capabilities !== undefined && func0.call(data16, "capabilities")){
let data19 = data16.capabilities;
if(Array.isArray(data19)){
const len3 = data19.length;
for(let i3=0; i3<len3; i3++){
if(typeof data19[i3] !== "string"){
const err31 = {instancePath:instancePath+"/supported/capabilities/" + i3,schemaPath:"#/$defs/SupportedValues/properties/capabilities/items/type",keyword:"type",params:{type: "string"},message:"must be string"};
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
const err32 = {instancePath:instancePath+"/supported/capabilities",schemaPath:"#/$defs/SupportedValues/properties/capabilities/type",keyword:"type",params:{type: "array"},message:"must be array"};
if(vErrors === null){
vErrors = [err32];
}
else {
vErrors.push(err32);
}
errors++;
}
}
if(data16.condition_languages !== undefined && func0.call(data16, "condition_languages")){
let data21 = data16.condition_languages;
if(Array.isArray(data21)){
const len4 = data21.length;
for(let i4=0; i4<len4; i4++){
if(typeof data21[i4] !== "string"){
const err33 = {instancePath:instancePath+"/supported/condition_languages/" + i4,schemaPath:"#/$defs/SupportedValues/properties/condition_languages/items/type",keyword:"type",params:{type: "string"},message:"must be string"};
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
else {
const err34 = {instancePath:instancePath+"/supported/condition_languages",schemaPath:"#/$defs/SupportedValues/properties/condition_languages/type",keyword:"type",params:{type: "array"},message:"must be array"};
if(vErrors === null){
vErrors = [err34];
}
else {
vErrors.push(err34);
}
errors++;
}
}
if(data16.vault_providers !== undefined && func0.call(data16, "vault_providers")){
let data23 = data16.vault_providers;
if(Array.isArray(data23)){
const len5 = data23.length;
for(let i5=0; i5<len5; i5++){
if(typeof data23[i5] !== "string"){
const err35 = {instancePath:instancePath+"/supported/vault_providers/" + i5,schemaPath:"#/$defs/SupportedValues/properties/vault_providers/items/type",keyword:"type",params:{type: "string"},message:"must be string"};
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
const err36 = {instancePath:instancePath+"/supported/vault_providers",schemaPath:"#/$defs/SupportedValues/properties/vault_providers/type",keyword:"type",params:{type: "array"},message:"must be array"};
if(vErrors === null){
vErrors = [err36];
}
else {
vErrors.push(err36);
}
errors++;
}
}
if(data16.memory_backends !== undefined && func0.call(data16, "memory_backends")){
let data25 = data16.memory_backends;
if(Array.isArray(data25)){
const len6 = data25.length;
for(let i6=0; i6<len6; i6++){
if(typeof data25[i6] !== "string"){
const err37 = {instancePath:instancePath+"/supported/memory_backends/" + i6,schemaPath:"#/$defs/SupportedValues/properties/memory_backends/items/type",keyword:"type",params:{type: "string"},message:"must be string"};
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
const err38 = {instancePath:instancePath+"/supported/memory_backends",schemaPath:"#/$defs/SupportedValues/properties/memory_backends/type",keyword:"type",params:{type: "array"},message:"must be array"};
if(vErrors === null){
vErrors = [err38];
}
else {
vErrors.push(err38);
}
errors++;
}
}
if(data16.tool_protocols !== undefined && func0.call(data16, "tool_protocols")){
let data27 = data16.tool_protocols;
if(Array.isArray(data27)){
const len7 = data27.length;
for(let i7=0; i7<len7; i7++){
if(typeof data27[i7] !== "string"){
const err39 = {instancePath:instancePath+"/supported/tool_protocols/" + i7,schemaPath:"#/$defs/SupportedValues/properties/tool_protocols/items/type",keyword:"type",params:{type: "string"},message:"must be string"};
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
const err40 = {instancePath:instancePath+"/supported/tool_protocols",schemaPath:"#/$defs/SupportedValues/properties/tool_protocols/type",keyword:"type",params:{type: "array"},message:"must be array"};
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
const err41 = {instancePath:instancePath+"/supported",schemaPath:"#/$defs/SupportedValues/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err41];
}
else {
vErrors.push(err41);
}
errors++;
}
}
if(data.attestation !== undefined && func0.call(data, "attestation")){
let data29 = data.attestation;
if(data29 && typeof data29 == "object" && !Array.isArray(data29)){
for(const key4 of Object.keys(data29)){
if(!(((key4 === "attested_by") || (key4 === "contact")) || (key4 === "signature"))){
const err42 = {instancePath:instancePath+"/attestation",schemaPath:"#/$defs/Attestation/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key4},message:"must NOT have additional properties"};
if(vErrors === null){
vErrors = [err42];
}
else {
vErrors.push(err42);
}
errors++;
}
}
if(data29.attested_by !== undefined && func0.call(data29, "attested_by")){
if(typeof data29.attested_by !== "string"){
const err43 = {instancePath:instancePath+"/attestation/attested_by",schemaPath:"#/$defs/Attestation/properties/attested_by/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err43];
}
else {
vErrors.push(err43);
}
errors++;
}
}
if(data29.contact !== undefined && func0.call(data29, "contact")){
if(typeof data29.contact !== "string"){
const err44 = {instancePath:instancePath+"/attestation/contact",schemaPath:"#/$defs/Attestation/properties/contact/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err44];
}
else {
vErrors.push(err44);
}
errors++;
}
}
if(data29.signature !== undefined && func0.call(data29, "signature")){
if(typeof data29.signature !== "string"){
const err45 = {instancePath:instancePath+"/attestation/signature",schemaPath:"#/$defs/Attestation/properties/signature/type",keyword:"type",params:{type: "string"},message:"must be string"};
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
const err46 = {instancePath:instancePath+"/attestation",schemaPath:"#/$defs/Attestation/type",keyword:"type",params:{type: "object"},message:"must be object"};
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
const err47 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err47];
}
else {
vErrors.push(err47);
}
errors++;
}
validate20.errors = vErrors;
return errors === 0;
}
validate20.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};
