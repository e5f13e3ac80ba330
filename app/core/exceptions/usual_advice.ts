const BY_STATUS: Record<number, string> = {
  400: 'Correct the request; sent as it is, it will be refused again. `detail` and `details` say what is wrong with it.',
  401: 'Send valid credentials: the header `WWW-Authenticate` says which kind is asked for.',
  403: 'Somebody with more rights must do this, or give you the right to.',
  404: 'Check the path: what it names does not exist, or you may not know of it.',
  409: 'Read the current state and decide anew: what is stored does not allow this request.',
  413: 'Send less; `details.limit` is the largest size in bytes.',
  429: 'Wait as many seconds as the header `Retry-After` says, then send the request again.',
  502: 'Send the request again later; nothing was changed. If it lasts, tell the operator what `detail` says.',
  503: 'Wait as many seconds as the header `Retry-After` says, then send the request again. If it lasts, tell the operator.',
}

export function usualAdvice(status: number): string {
  return BY_STATUS[status] ?? 'Tell the operator, with the `requestId` of the answer.'
}
