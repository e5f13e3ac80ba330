/** Claims work so that owners with much of it do not keep others waiting. */
export class FairClaims<Row, Owner> {
  readonly #most: number
  readonly #servedBy: (claimed: Row[]) => Iterable<Owner>
  /** Those that have had their turn: the others come first. */
  readonly #served = new Set<Owner>()

  /**
   * @param servedBy whose turn a claim was
   * @param most how many are remembered; beyond that, all are forgotten
   */
  constructor(servedBy: (claimed: Row[]) => Iterable<Owner>, most = Infinity) {
    this.#servedBy = servedBy
    this.#most = most
  }

  /** @param claim claims some work that is due, but none of these owners */
  async next(claim: (except: Owner[]) => Promise<Row[]>): Promise<Row[]> {
    if (this.#served.size > this.#most) this.#served.clear()
    let claimed = await claim([...this.#served])
    if (claimed.length === 0 && this.#served.size > 0) {
      this.#served.clear()
      claimed = await claim([])
    }
    for (const owner of this.#servedBy(claimed)) this.#served.add(owner)
    return claimed
  }
}
