/** 128 random bits. Browsers offer `crypto.randomUUID` only to pages with TLS. */
export const randomKey = () =>
  [...crypto.getRandomValues(new Uint8Array(16))]
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('')
