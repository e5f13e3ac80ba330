const SMALLEST = 1_024

/** Collects chunks in one growing buffer, because each separate chunk costs hundreds of bytes. */
export class GatheredBytes {
  #buffer: Buffer
  #length: number

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
