import { LRUCache } from 'lru-cache'

const MOST_QUEUES = 1_000

/**
 * Where to look in queues that are too long to be read, if the owners of their oldest part all have
 * to wait: at another part each time, so that nothing stays hidden.
 */
export class LaterParts<Queue extends NonNullable<unknown>> {
  readonly #size: number
  readonly #next = new LRUCache<Queue, number>({ max: MOST_QUEUES })

  /** @param size how many rows a part has */
  constructor(size: number) {
    this.#size = size
  }

  /** How many rows come before the part. */
  offset(queue: Queue): number {
    return this.#next.get(queue) ?? this.#size
  }

  /** @param isLast whether the queue ended in the part, or before it */
  moveOn(queue: Queue, isLast: boolean) {
    if (isLast) this.#next.delete(queue)
    else this.#next.set(queue, this.offset(queue) + this.#size)
  }
}
