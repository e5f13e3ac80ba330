import { type KeyObject, generateKeyPairSync, randomBytes, sign } from 'node:crypto'

const [BOOLEAN, INTEGER, BIT_STRING, OCTET_STRING, NULL, OID] = [1, 2, 3, 4, 5, 6]
const [UTF8, UTC_TIME] = [12, 23]
const [SEQUENCE, SET, VERSION, EXTENSIONS] = [0x30, 0x31, 0xa0, 0xa3]
const [SAN_DNS, SAN_IP] = [0x82, 0x87]

/** As PEM. */
export interface Certificate {
  cert: string
  key: string
}

/** Creates a self-signed certificate for `localhost`, `127.0.0.1` and more names. */
export function selfSignedCertificate({ names = [] as string[], isRsa = false } = {}): Certificate {
  const { privateKey, publicKey } = isRsa
    ? generateKeyPairSync('rsa', { modulusLength: 2_048 })
    : generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const algorithm = isRsa
    ? der(SEQUENCE, oid('2a864886f70d01010b'), der(NULL))
    : der(SEQUENCE, oid('2a8648ce3d040302'))
  const name = der(
    SEQUENCE,
    der(SET, der(SEQUENCE, oid('550403'), der(UTF8, Buffer.from('localhost'))))
  )
  const hosts = der(
    SEQUENCE,
    ...['localhost', ...names].map((each) => der(SAN_DNS, Buffer.from(each))),
    der(SAN_IP, Buffer.from([127, 0, 0, 1]))
  )
  const isAuthority = der(SEQUENCE, der(BOOLEAN, Buffer.from([0xff])))
  const content = der(
    SEQUENCE,
    der(VERSION, der(INTEGER, Buffer.from([2]))),
    der(INTEGER, Buffer.concat([Buffer.from([1]), randomBytes(8)])),
    algorithm,
    name,
    der(SEQUENCE, time(-1), time(1)),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(EXTENSIONS, der(SEQUENCE, extension('551d11', hosts), extension('551d13', isAuthority)))
  )
  return { cert: signed(content, algorithm, privateKey), key: pem(privateKey) }
}

function signed(content: Buffer, algorithm: Buffer, key: KeyObject) {
  const signature = Buffer.concat([Buffer.from([0]), sign('sha256', content, key)])
  const certificate = der(SEQUENCE, content, algorithm, der(BIT_STRING, signature))
  const lines = certificate.toString('base64').match(/.{1,64}/g) ?? []
  return ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n')
}

const pem = (key: KeyObject) => key.export({ type: 'pkcs8', format: 'pem' }).toString()

const oid = (hex: string) => der(OID, Buffer.from(hex, 'hex'))

const extension = (id: string, value: Buffer) => der(SEQUENCE, oid(id), der(OCTET_STRING, value))

function time(daysFromNow: number) {
  const moment = new Date(Date.now() + daysFromNow * 86_400_000).toISOString()
  return der(UTC_TIME, Buffer.from(`${moment.replace(/[-:T]|\.\d+/g, '').slice(2)}`))
}

/** Encodes an element with the Distinguished Encoding Rules. */
function der(tag: number, ...parts: Buffer[]): Buffer {
  const content = Buffer.concat(parts)
  const { length } = content
  const size = length < 0x80 ? [length] : [0x82, length >> 8, length & 0xff]
  return Buffer.concat([Buffer.from([tag, ...size]), content])
}
