import render, { format as pretty } from './lib/text.js';
import * as text from './lib/text.js';

export function main() {
  render('x');
  pretty('y');
  text.trim('z');
  text.format('z').trim();
  helper();
}

function helper() {
  const format = null;
  return format('x');
}
