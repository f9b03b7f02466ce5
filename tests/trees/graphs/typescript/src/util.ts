export function format(text: string): string {
  return trim(text);
}

export const trim = (text: string) => text.trim();

export function get(key: string) {
  return key;
}

export function parse(text: string): Parser {
  return new Parser(text);
}

export class Parser {
  constructor(private text: string) {}

  next() {
    return this.peek();
  }

  peek() {
    return this.text;
  }
}
