/** Returns the dot product. For two vectors of length 1, it is the cosine of their angle. */
export const dot = (left: Float32Array, right: Float32Array): number => {
  let sum = 0;
  for (let i = 0; i < left.length; i++) sum += (left[i] ?? 0) * (right[i] ?? 0);
  return sum;
};

/** Returns a copy of a vector, scaled to length 1. A zero vector is not scaled. */
export const unit = (vector: Float32Array): Float32Array => scaleToUnit(vector.slice());

/** Scales the vector itself, and returns it. */
export const scaleToUnit = (vector: Float32Array): Float32Array => {
  const length = Math.sqrt(dot(vector, vector));
  if (length === 0) return vector;
  for (let slot = 0; slot < vector.length; slot++) vector[slot] = (vector[slot] ?? 0) / length;
  return vector;
};
