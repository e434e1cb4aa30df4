// Where `inspect` breaks lines: as Node does, up to three nested levels share a line while it stays short, and the items of a longer
// array stand in columns.
(function (native, kit) {
  'use strict';

  const { floor, join, list, max, min, sqrt, stringIncludes, stringRepeat, textWidth } = kit;

  const SHARED_LEVELS = 3;
  const FEWEST_IN_COLUMNS = 7;
  const MOST_COLUMNS = 15;
  const CHARACTER_HEIGHT = 2.5; // in characters' widths: what makes the block of items about square
  const SEPARATOR = 2; // ", "

  // About as many columns as make a square block, more of them for short items.
  const columnCount = (width, bias, count, context) => {
    const narrowed = max(width - 3 - bias, 1);
    const square = floor(sqrt(CHARACTER_HEIGHT * narrowed * count) / narrowed + 0.5);
    return min(square, floor((context.breakLength - context.indentation) / width), SHARED_LEVELS * 4, MOST_COLUMNS);
  };

  // `items` are the first ones of an array, `trailer` what follows them (named properties, "... n more items").
  const inColumns = (items, hasTrailer, rightAligned, context) => {
    const count = hasTrailer ? items.length - 1 : items.length;
    const lengths = list();
    let total = 0;
    let widest = 0;
    for (let i = 0; i < count; i++) {
      lengths[i] = textWidth(items[i]);
      total += lengths[i] + SEPARATOR;
      widest = max(widest, lengths[i]);
    }
    const width = widest + SEPARATOR;
    if (width * 3 + context.indentation >= context.breakLength || (total / width <= 5 && widest > 6)) return items;
    const columns = columnCount(width, sqrt(width - total / items.length), count, context);
    if (columns <= 1) return items;

    const widths = list();
    for (let column = 0; column < columns; column++) {
      let columnWidth = 0;
      for (let i = column; i < count; i += columns) columnWidth = max(columnWidth, lengths[i]);
      widths[column] = columnWidth + SEPARATOR;
    }
    const rows = list();
    for (let first = 0; first < count; first += columns) {
      const last = min(first + columns, count) - 1;
      let row = '';
      for (let i = first; i < last; i++) {
        const padding = stringRepeat(' ', widths[i - first] - SEPARATOR - lengths[i]);
        row += rightAligned ? `${padding}${items[i]}, ` : `${items[i]}, ${padding}`;
      }
      const padding = rightAligned ? stringRepeat(' ', widths[last - first] - SEPARATOR - lengths[last]) : '';
      rows[rows.length] = row + padding + items[last];
    }
    if (hasTrailer) rows[rows.length] = items[count];
    return rows;
  };

  const fitsOneLine = (parts, open, base, context) => {
    let length = 2 * parts.length + context.indentation + open.length + base.length + 10;
    if (length + parts.length > context.breakLength) return false;
    for (let i = 0; i < parts.length; i++) {
      length += parts[i].length;
      if (length > context.breakLength || stringIncludes(parts[i], '\n')) return false;
    }
    return !stringIncludes(base, '\n');
  };

  // One text of `parts` between the braces. `columns`: undefined, or how the items of an array stand ({ hasTrailer, rightAligned }).
  kit.layout = (parts, base, open, close, level, columns, context) => {
    const rows = columns && parts.length >= FEWEST_IN_COLUMNS ? inColumns(parts, columns.hasTrailer, columns.rightAligned, context) : parts;
    const start = base ? `${base} ${open}` : open;
    if (context.deepest - level < SHARED_LEVELS && rows.length === parts.length && fitsOneLine(rows, open, base, context)) {
      return `${start} ${join(rows, ', ')} ${close}`;
    }
    const indentation = `\n${stringRepeat(' ', context.indentation)}`;
    return `${start}${indentation}  ${join(rows, `,${indentation}  `)}${indentation}${close}`;
  };
});
