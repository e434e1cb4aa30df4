export { decode } from './decode.js'
export { encode } from './encode.js'
export { ValueError } from './refused.js'
