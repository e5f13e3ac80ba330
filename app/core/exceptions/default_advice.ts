const BY_STATUS: Record<number, string> = {
  400: 'Correct the request: `detail` and `details` say what is wrong with it. Sending it again unchanged has the same result.',
  401: 'Send valid credentials: the `WWW-Authenticate` header says which kind is required.',
  403: 'Ask someone with more permissions to do this, or to grant you access.',
  404: 'Check the path: the resource does not exist, or you do not have access to it.',
  409: 'The current state of the resource does not allow this request. Fetch it to see why.',
  413: 'Send a smaller body: `details.limit` is the largest size in bytes.',
  429: 'Wait for the number of seconds in the `Retry-After` header, then send the request again.',
  502: 'Send the request again later: nothing was changed. If the problem persists, contact the operator and quote `detail`.',
  503: 'Wait for the number of seconds in the `Retry-After` header, then send the request again. If the problem persists, contact the operator.',
}

export function defaultAdvice(status: number): string {
  return BY_STATUS[status] ?? 'Contact the operator and quote the `requestId` of the response.'
}
