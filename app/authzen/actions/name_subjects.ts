import { accountIssuer } from '#app/profiles/values/account'
import { subjectsOfAddresses } from '#app/authzen/queries/subjects_of_addresses'

/** The ids of subjects: those that `findSubject` finds again, in the same order. */
export async function nameSubjects(emails: string[]): Promise<string[]> {
  if (emails.length === 0) return []
  const subjects = await subjectsOfAddresses(emails, accountIssuer)
  return emails.map((email) => {
    const subject = subjects.get(email)
    return subject === undefined || subject.includes('@') ? email : subject
  })
}
