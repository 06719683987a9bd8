// What is made of some inputs is made anew only when one of them is another.

/**
 * `make(...inputs)`, remembered for the last inputs; a page that is drawn often gets the same thing as long as these
 * are.
 */
export function memo(make) {
  let last = null;
  return (...inputs) => {
    if (!last || last.inputs.length !== inputs.length || last.inputs.some((v, i) => v !== inputs[i]))
      last = { inputs, made: make(...inputs) };
    return last.made;
  };
}
