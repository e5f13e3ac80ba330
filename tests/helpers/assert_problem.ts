import { ApiResponse } from '@japa/api-client'
import { readTextError } from '#tests/helpers/text_errors'

declare module '@japa/api-client' {
  interface ApiResponse {
    /** Asserts complete problem details, or a text error, with this status and code. */
    assertProblem(status: number, code: string, details?: object): void
  }
}

ApiResponse.macro(
  'assertProblem',
  function (this: ApiResponse, status: number, code: string, details?: object) {
    this.assertStatus(status)
    const error = readTextError(this.type() ?? null, this.text())
    if (error) return void this.assert!.equal(error.code, code)
    this.assert!.equal(this.type(), 'application/problem+json')
    const problem = JSON.parse(this.text())
    this.assert!.containSubset(problem, { status, code })
    this.assert!.sameMembers(Object.keys(problem), [
      'type',
      'title',
      'status',
      'detail',
      'code',
      'details',
      'requestId',
    ])
    if (details) this.assert!.containSubset(problem.details, details)
  }
)
