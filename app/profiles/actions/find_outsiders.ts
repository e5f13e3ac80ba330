import User from '#app/profiles/models/user'

export async function findOutsiders(emails: string[]): Promise<Set<string>> {
  const known = await User.query().whereIn('email', emails).select('email')
  return new Set(emails).difference(new Set(known.map(({ email }) => email)))
}
