/* ---
title: Check data against a schema
topic: validation
takes: json
gives: record
worth: 8
description: Whether a JSON value has the shape that a JSON Schema asks for, with a path to each
  fault.
methods:
  - name: run
    description: Knows type, enum, required, properties, additionalProperties, items and the bounds.
    input_schema:
      type: object
      properties:
        value: { description: Any JSON value. }
        schema: { type: object, description: "A JSON Schema such as { type: number, minimum: 0 }." }
      required: [value, schema]
    output_schema:
      type: object
      properties: { valid: { type: boolean }, errors: { type: array, items: { type: string } } }
    examples:
      - args:
          - { id: a1, price: 3 }
          - { type: object, required: [id, price], properties: { price: { type: integer } } }
        result: { valid: true, errors: [] }
      - args: [[1, "2", -3], { type: array, items: { type: number, minimum: 0 } }]
        result:
          valid: false
          errors: ["value[1] must be number, not string", "value[2] must be at least 0"]
      - args: [{ a: 1 }, { required: [b], properties: { b: {} }, additionalProperties: false }]
        result: { valid: false, errors: [value.b is missing, value.a is not allowed] }
      - args: [null, {}]
        result: { valid: true, errors: [] }
variants:
  - name: offer
    title: Check an offer
    bind:
      schema:
        type: object
        required: [seller, item, price]
        properties:
          seller: { type: string, minLength: 1 }
          item: { type: string, minLength: 1 }
          price: { type: integer, minimum: 1 }
    examples:
      - args: [{ seller: ann, item: bread, price: 3 }]
        result: { valid: true, errors: [] }
      - args: [{ seller: ann, price: 0.5 }]
        result:
          valid: false
          errors: [value.item is missing, "value.price must be integer, not number"]
  - name: price_list
    title: Check a price list
    bind: { schema: { type: object, additionalProperties: { type: number, minimum: 0 } } }
    examples:
      - args: [{ bread: 3, salt: -1 }]
        result: { valid: false, errors: [value.salt must be at least 0] }
--- */
function run(value, schema) {
  if (
    value === undefined ||
    schema === null ||
    typeof schema !== "object" ||
    Array.isArray(schema)
  ) {
    kernel.fail(
      "bad_input",
      "give a value and a schema, such as 3, { type: 'number', minimum: 0 }",
    );
  }
  const errors = _errors(value, schema, "value");
  return { valid: errors.length === 0, errors };
}

function _errors(value, schema, path) {
  const type = _typeOf(value);
  const allowed = schema.type === undefined ? [type] : [].concat(schema.type);
  if (!allowed.includes(type) && !(type === "integer" && allowed.includes("number"))) {
    return [`${path} must be ${allowed.join(" or ")}, not ${type}`];
  }
  const errors = _bounds(value, schema).map((fault) => `${path} must ${fault}`);
  if (type === "array") {
    value.forEach((item, index) => {
      errors.push(..._errors(item, schema.items || {}, `${path}[${index}]`));
    });
  }
  return type === "object" ? [...errors, ..._fieldErrors(value, schema, path)] : errors;
}

function _fieldErrors(value, schema, path) {
  const { required = [], properties = {}, additionalProperties = true } = schema;
  const has = (name) => Object.hasOwn(value, name);
  const errors = required.filter((name) => !has(name)).map((name) => `${path}.${name} is missing`);
  for (const [name, field] of Object.entries(value)) {
    const known = Object.hasOwn(properties, name);
    const rule = known ? properties[name] : additionalProperties;
    if (rule === false) {
      errors.push(`${path}.${name} is not allowed`);
    } else if (rule !== true) {
      errors.push(..._errors(field, rule, `${path}.${name}`));
    }
  }
  return errors;
}

function _bounds(value, schema) {
  const size = typeof value === "number" ? value : value === null ? 0 : value.length;
  const low = [schema.minimum, schema.minLength, schema.minItems];
  const high = [schema.maximum, schema.maxLength, schema.maxItems];
  const kind = typeof value === "number" ? 0 : typeof value === "string" ? 1 : 2;
  const unit = ["", " letters", " items"][kind];
  const choices = (schema.enum || []).map((choice) => JSON.stringify(choice));
  return [
    size < low[kind] && `be at least ${low[kind]}${unit}`,
    size > high[kind] && `be at most ${high[kind]}${unit}`,
    choices.length > 0 &&
      !choices.includes(JSON.stringify(value)) &&
      `be one of ${choices.join(", ")}`,
  ].filter((fault) => fault !== false);
}

function _typeOf(value) {
  if (value === null || Array.isArray(value)) {
    return value === null ? "null" : "array";
  }
  return Number.isInteger(value) ? "integer" : typeof value;
}
