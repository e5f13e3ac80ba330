const SMALLEST = 1_024

/** Pieces of a body in one buffer that grows: a piece kept as it came costs hundreds of bytes. */
export class GatheredBytes {
  #buffer: Buffer
  #length: number

  /** @param first Kept as it is until more comes */
  constructor(first: Buffer) {
    this.#buffer = first
    this.#length = first.length
  }

  get bytes(): Buffer {
    return this.#buffer.subarray(0, this.#length)
  }

  get length() {
    return this.#length
  }

  /** How much memory they take. */
  get capacity() {
    return this.#buffer.length
  }

  append(piece: Buffer) {
    const length = this.#length + piece.length
    if (length > this.#buffer.length) this.#grow(length)
    piece.copy(this.#buffer, this.#length)
    this.#length = length
  }

  #grow(length: number) {
    const larger = Buffer.allocUnsafeSlow(Math.max(SMALLEST, length, 2 * this.#length))
    this.#buffer.copy(larger, 0, 0, this.#length)
    this.#buffer = larger
  }
}
