import { api, nextCursor } from '@/api/client'
import { csvOf } from '@/files/csv'
import { type PeopleFilter, type Person, queryOf } from '@/queries/people'

const PAGE = 200
/** More would keep the service busy for minutes. */
export const MOST_EXPORTED = 10_000

const HEADER = [
  'email',
  'displayName',
  'firstName',
  'lastName',
  'active',
  'locale',
  'brand',
  'applications',
  'lastLoginAt',
  'createdAt',
]

const cellsOf = (person: Person) => [
  person.email,
  person.displayName,
  person.firstName,
  person.lastName,
  person.active,
  person.locale,
  person.brand,
  person.applications.map(({ applicationCode }) => applicationCode).join(' '),
  person.lastLoginAt,
  person.createdAt,
]

/** The people that match as a CSV file, and whether there are more than it holds. */
export async function exportPeople(filter: PeopleFilter) {
  const people: Person[] = []
  let cursor: string | null | undefined
  while (cursor !== null && people.length < MOST_EXPORTED) {
    const query = { ...queryOf(filter), limit: PAGE, ...(cursor && { cursor }) }
    const { data, response } = await api.GET('/api/users', { params: { query } })
    people.push(...data!.data)
    cursor = nextCursor(response)
  }
  // Spreadsheets take a file without a byte order mark for one in an old encoding.
  const text = `\uFEFF${csvOf(HEADER, people.map(cellsOf))}`
  return {
    file: new Blob([text], { type: 'text/csv;charset=utf-8' }),
    isCut: cursor !== null,
  }
}
