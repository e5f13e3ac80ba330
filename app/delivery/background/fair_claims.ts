/** Claims work so that owners with much of it do not keep others waiting. */
export class FairClaims<Owner> {
  /** Those that have had their turn: the others come first. */
  readonly #served = new Set<Owner>()

  /** @param claim claims some work that is due, but none of these owners */
  async next<Row>(
    claim: (except: Owner[]) => Promise<Row[]>,
    ownerOf: (row: Row) => Owner
  ): Promise<Row[]> {
    let claimed = await claim([...this.#served])
    if (claimed.length === 0 && this.#served.size > 0) {
      this.#served.clear()
      claimed = await claim([])
    }
    for (const row of claimed) this.#served.add(ownerOf(row))
    return claimed
  }
}
