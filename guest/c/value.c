/* Values that cross the boundary: the encoder and the decoder of docs/values.md.
 *
 * The way out: `encode` chooses each object's form, `containers` goes along what it holds, `share` ends the work where
 * something was met twice. The way back: `decode` reads items. What both know: `forms` (the numbers of the format), `texts`
 * (strings as bytes), `throw` (errors and paths).
 */
#include "value/forms.c"
#include "value/texts.c"
#include "value/throw.c"

#include "value/marks.c"
#include "value/encoder.c"
#include "value/scalars.c"
#include "value/refused.c"
#include "value/buffers.c"
#include "value/containers.c"
#include "value/error_fields.c"
#include "value/share.c"
#include "value/encode.c"

#include "value/decoder.c"
#include "value/decode_scalars.c"
#include "value/decode_buffers.c"
#include "value/decode_objects.c"
#include "value/decode_errors.c"
#include "value/decode.c"
