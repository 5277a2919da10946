/** This process stops. The attempt is not counted: its message goes back to the queue, for another process to take. */
export class DeliveryGivenBack extends Error {
  override readonly name = "DeliveryGivenBack";
}
