import { api } from '@/api/client'
import { csvOf } from '@/files/csv'
import { type ExportedFile, csvFile, readPages } from '@/files/csv_file'
import { type PeopleFilter, type Person, queryOf } from '@/queries/people'

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

/** The people that match as a CSV file. */
export async function exportPeople(filter: PeopleFilter): Promise<ExportedFile> {
  const { parts, cutAfter } = await readPages(
    (page) => api.GET('/api/users', { params: { query: { ...queryOf(filter), ...page } } }),
    (data) => (data as { data: Person[] }).data,
    (people) => people.length
  )
  return { file: csvFile([csvOf(HEADER, parts.flat().map(cellsOf))]), cutAfter }
}
