import { ApiResponse } from '@japa/api-client'

declare module '@japa/api-client' {
  interface ApiResponse {
    /** Asserts complete problem details with this status and code. */
    assertProblem(status: number, code: string, details?: object): void
  }
}

ApiResponse.macro(
  'assertProblem',
  function (this: ApiResponse, status: number, code: string, details?: object) {
    this.assertStatus(status)
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
