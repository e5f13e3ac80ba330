const MIN_CAPACITY = 1_024

/** Collects chunks in one growing buffer, because each separate chunk costs hundreds of bytes. */
export class GrowingBuffer {
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

  append(chunk: Buffer) {
    const length = this.#length + chunk.length
    if (length > this.#buffer.length) this.#grow(length)
    chunk.copy(this.#buffer, this.#length)
    this.#length = length
  }

  #grow(length: number) {
    const larger = Buffer.allocUnsafeSlow(Math.max(MIN_CAPACITY, length, 2 * this.#length))
    this.#buffer.copy(larger, 0, 0, this.#length)
    this.#buffer = larger
  }
}
