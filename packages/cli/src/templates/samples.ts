import { notFound } from '../errors.ts'
import { type Session, unwrapData } from '../session.ts'
import type { Sample } from './texts.ts'

/** The sample data of a type. */
export async function readSamples(
  { api }: Pick<Session, 'api'>,
  appCode: string,
  type: string
): Promise<Sample[]> {
  const path = '/api/admin/notifications/types/{appCode}/{type}/samples'
  return unwrapData(api.GET(path, { params: { path: { appCode, type } } }))
}

/** @throws Failure if the type has no sample data of this name */
export async function sampleNamed(session: Session, appCode: string, type: string, name: string) {
  const sample = (await readSamples(session, appCode, type)).find((each) => each.name === name)
  if (!sample) throw notFound('SAMPLE_NOT_FOUND', `${type} has no sample data ${name}`)
  return sample.data
}
