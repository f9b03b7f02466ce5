import Motor from './engine';

export class Garage {
  constructor(private motor: Motor) {}

  open() {
    return this.motor.turn();
  }
}

export function build() {
  const motor = new Motor();
  motor.turn();
  return Motor.make();
}
