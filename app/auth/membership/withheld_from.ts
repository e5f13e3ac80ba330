import { readStanding } from '#app/auth/panel/read_standing'
import { type Ties, readTies } from '#app/permissions/actions/read_ties'

/**
 * What a person does with an application: `enter` is to use it, `keep` to change or end what they began while they might
 * enter, `know` to learn what it is.
 */
export type MemberNeed = 'enter' | 'keep' | 'know'

/**
 * The applications of these that a person may not enter, keep or know: those whose membership is granted and in which they
 * hold nothing. One that does not exist has nobody to keep out.
 */
export async function withheldFrom(
  email: string,
  appCodes: string[],
  need: MemberNeed
): Promise<string[]> {
  const untied: string[] = []
  for (const code of appCodes) {
    const ties = await readTies(email, code)
    if (ties && !isTied(ties, need)) untied.push(code)
  }
  if (untied.length === 0) return []
  const standing = await readStanding(email)
  const level = need === 'know' ? 'view' : 'edit'
  return untied.filter((code) => !standing.holds(level, code))
}

function isTied({ isOpen, holds, came }: Ties, need: MemberNeed) {
  return isOpen || holds || (came && need !== 'enter')
}
