import { LRUCache } from 'lru-cache'
import { RE2JS } from 're2js'
import { charge } from '#app/permissions/conditions/cost'

const MAX_PATTERN_LENGTH = 200
/** All repeat counts of a pattern multiplied; they decide how much there is to compile. */
const MAX_REPEATS = 10_000
const MAX_PROGRAM_SIZE = 500
/** So that a condition has only as many patterns as can be compiled in about 5 ms. */
const UNITS_PER_INSTRUCTION = 300

/** Each grows to 8 MB, with the texts that it sees. */
const compiled = new LRUCache<string, RE2JS>({ max: 32 })

/** A regular expression that takes linear time. */
export class Pattern {
  readonly #source: string
  readonly #unitsPerCharacter: number

  /** @throws Error that says in English what is wrong */
  constructor(source: string) {
    if (source.length > MAX_PATTERN_LENGTH) {
      throw new Error(`A pattern has at most ${MAX_PATTERN_LENGTH} characters`)
    }
    let repeats = 1
    for (const [, from, to] of source.matchAll(/\{(\d+)(?:,(\d*))?\}/g)) {
      repeats *= Math.max(1, Number(to || from))
    }
    if (repeats > MAX_REPEATS) throw new Error('The pattern repeats too much')
    const size = compile(source).programSize()
    if (size > MAX_PROGRAM_SIZE) throw new Error('The pattern is too complex')
    charge(size * UNITS_PER_INSTRUCTION)
    this.#source = source
    this.#unitsPerCharacter = 2 + size * 2
  }

  /** Whether a part of the text matches. */
  isIn(text: string): boolean {
    charge(text.length * this.#unitsPerCharacter)
    return compile(this.#source).test(text)
  }
}

function compile(source: string) {
  const known = compiled.get(source)
  if (known) return known
  try {
    const pattern = RE2JS.compile(source)
    compiled.set(source, pattern)
    return pattern
  } catch (error) {
    const [, reason] = /^error parsing regexp: (.*)$/s.exec((error as Error).message) ?? []
    throw new Error(`The pattern is not a regular expression of RE2: ${reason ?? 'syntax error'}`)
  }
}
