// The types of `devalue` name an array that the library of this package's oldest Node does not have.
interface Float16Array extends ArrayBufferView {}
