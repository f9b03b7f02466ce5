export interface Address {
  street: string;
  postalCode: string;
  country: string;
}

/** Checks that a postal code fits its country's format. */
export function validatePostalCode(address: Address): boolean {
  const formats: Record<string, RegExp> = { DE: /^\d{5}$/, NL: /^\d{4} ?[A-Z]{2}$/ };
  const format = formats[address.country];
  return format === undefined || format.test(address.postalCode);
}

/** The page on which a customer enters an address and pays. */
export class CheckoutForm {
  constructor(private readonly address: Address) {}

  submitOrder(send: (body: string) => Promise<Response>): Promise<Response> {
    if (!validatePostalCode(this.address)) {
      throw new Error("the postal code does not fit the country");
    }
    return send(JSON.stringify(this.address));
  }
}
