// `kit.table(data, columns)`: the box that `console.table` draws, as Node's; undefined for what has no rows.
(function (native, kit) {
  'use strict';

  const { arrayIncludes, descriptor, inspect, isArray, list, max, ownData, stringRepeat, textWidth } = kit;
  const { entries, keys: keysOf, kind } = native;

  const MOST_ROWS = 1000;
  const MOST_COLUMNS = 100;
  const FEW_KEYS = 2;
  const FEW_ITEMS = 3;

  const isPrimitive = (value) => (typeof value !== 'object' && typeof value !== 'function') || value === null;

  const cell = (value) => {
    const isLarge = !isPrimitive(value) && !isArray(value) && kind(value) !== 'Proxy' && keysOf(value, false).length > FEW_KEYS;
    return inspect(value, isLarge ? -1 : 0, Infinity, FEW_ITEMS);
  };

  const propertyCell = (row, key) => {
    const property = descriptor(row, key);
    if (!property) return '';
    return 'value' in property ? cell(property.value) : '[Getter]';
  };

  const column = (title) => ({ __proto__: null, title, cells: list() });

  const draw = (columns, rowCount, hidden) => {
    const widths = list();
    for (let c = 0; c < columns.length; c++) {
      let width = textWidth(columns[c].title);
      for (let r = 0; r < rowCount; r++) width = max(width, textWidth(columns[c].cells[r] ?? ''));
      widths[c] = width;
    }
    const rule = (left, middle, right) => {
      let text = left;
      for (let c = 0; c < columns.length; c++) text += (c ? middle : '') + stringRepeat('─', widths[c] + 2);
      return text + right;
    };
    const line = (textOf) => {
      let text = '│';
      for (let c = 0; c < columns.length; c++) {
        const content = textOf(columns[c]);
        text += ` ${content}${stringRepeat(' ', widths[c] - textWidth(content))} │`;
      }
      return text;
    };
    let text = `${rule('┌', '┬', '┐')}\n${line((c) => c.title)}\n${rule('├', '┼', '┤')}\n`;
    for (let r = 0; r < rowCount; r++) text += `${line((c) => c.cells[r] ?? '')}\n`;
    text += rule('└', '┴', '┘');
    return hidden > 0 ? `${text}\n... ${kit.plural(hidden, 'row')}` : text;
  };

  // Maps, sets and their iterators: a row an entry.
  const entryTable = (data) => {
    const answer = entries(data, MOST_ROWS);
    const flat = answer[0];
    const total = answer[1];
    const pairs = answer[2];
    const columns = list();
    const index = (columns[0] = column('(iteration index)'));
    const keys = pairs ? (columns[1] = column('Key')) : undefined;
    const values = (columns[columns.length] = column('Values'));
    let row = 0;
    for (let i = 0; i < flat.length; i++, row++) {
      index.cells[row] = `${row}`;
      if (keys) keys.cells[row] = cell(flat[i++]);
      values.cells[row] = cell(flat[i]);
    }
    return draw(columns, row, total - row);
  };

  const keysOfRow = (row, wanted) => {
    if (kind(row) === 'Proxy') return list();
    return wanted ?? keysOf(row, false);
  };

  const objectTable = (data, wanted) => {
    const rowKeys = keysOf(data, false);
    const byKey = { __proto__: null }; // array indices first, as in an object
    let columnCount = 0;
    const index = column('(index)');
    const values = column('Values');
    let row = 0;
    for (let i = 0; i < rowKeys.length && row < MOST_ROWS; i++) {
      if (typeof rowKeys[i] !== 'string') continue;
      const item = ownData(data, rowKeys[i]);
      index.cells[row] = rowKeys[i];
      if (isPrimitive(item)) {
        values.cells[row] = cell(item);
      } else {
        const keys = keysOfRow(item, wanted);
        for (let k = 0; k < keys.length; k++) {
          if (typeof keys[k] === 'symbol') continue;
          if (!byKey[keys[k]]) {
            if (columnCount++ >= MOST_COLUMNS) break;
            byKey[keys[k]] = column(`${keys[k]}`);
          }
          byKey[keys[k]].cells[row] = propertyCell(item, keys[k]);
        }
      }
      row++;
    }
    const columns = list();
    columns[0] = index;
    const titles = kit.objectKeys(byKey);
    for (let i = 0; i < titles.length; i++) columns[columns.length] = byKey[titles[i]];
    if (values.cells.length) columns[columns.length] = values;
    return draw(columns, row, rowKeys.length - row);
  };

  // The titles that the script asked for: an array's strings and numbers.
  const wantedColumns = (columns) => {
    if (!isArray(columns) || kind(columns) === 'Proxy') return undefined;
    const wanted = list();
    for (let i = 0; i < columns.length && i < MOST_ROWS; i++) {
      const title = ownData(columns, i);
      if (typeof title === 'string' || typeof title === 'number') wanted[wanted.length] = `${title}`;
    }
    return wanted;
  };

  const ENTRY_KINDS = ['Map', 'Set', 'Map Iterator', 'Set Iterator'];

  kit.table = (data, columns) => {
    if (isPrimitive(data) || kind(data) === 'Proxy') return undefined;
    return arrayIncludes(ENTRY_KINDS, kind(data)) ? entryTable(data) : objectTable(data, wantedColumns(columns));
  };
});
