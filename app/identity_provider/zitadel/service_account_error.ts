export class ServiceAccountError extends Error {
  override name = 'ServiceAccountError'

  constructor(readonly reason: 'key_file' | 'token_refused') {
    super(
      reason === 'key_file'
        ? 'The key file of the service account cannot be read or is not a key profile'
        : 'The identity provider refused to issue a token for the service account'
    )
  }
}
