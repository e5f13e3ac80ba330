import type { Client } from 'openapi-fetch'
import type { operations, paths } from './api.ts'
import { pages } from './pages.ts'
import type { JsonBody, JsonData } from './types.ts'
import { unwrap } from './unwrap.ts'

const PATH = '/api/applications/{appCode}/access/preview'

type Body = JsonBody<operations['access.previews.store']>

/** A change of who can do what: `op`, and the fields of the endpoint that makes it. */
export type AccessChange = Body['changes'][number]
/** Some of the decisions that changes would flip, and how many there are. */
export type PreviewPage = JsonData<operations['access.previews.store']>
/** A decision whose level would rise or fall. */
export type Flip = PreviewPage['flips'][number]

export interface PreviewQuestion {
  app: string
  /** They are tried out together, one after another. */
  changes: AccessChange[]
  /** Flips per page, up to 1,000. Default 100. */
  limit?: number
}

/** Reads pages until the last one. Nothing is changed. */
export type Preview = (question: PreviewQuestion) => AsyncGenerator<PreviewPage>

export function previewWith(api: Client<paths>): Preview {
  return ({ app: appCode, ...body }) =>
    pages(async (cursor) => {
      const asked = { params: { path: { appCode } }, body: { ...body, ...cursor } }
      return (await unwrap(api.POST(PATH, asked))).data
    })
}
