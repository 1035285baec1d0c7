#!/usr/bin/env node
const v: string = process.version;
console.log("hi", v);
