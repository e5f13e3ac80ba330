import { LanguageSchema } from '#database/schema'

/** An entry of the platform's language registry. */
export default class Language extends LanguageSchema {
  /** Which of `codes` the registry does not know, each once, in their order. */
  static async unknownAmong(codes: string[]): Promise<string[]> {
    if (codes.length === 0) return []
    const known = await this.query().whereIn('code', codes)
    const registered = new Set(known.map(({ code }) => code))
    return [...new Set(codes)].filter((code) => !registered.has(code))
  }
}
