import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { plainText } from './plainText.ts';

describe('rich text as plain text', () => {
  it.each([
    ['<p>Dear customer,</p><p>Thank you.</p>', 'Dear customer,\nThank you.'],
    ['<div>one</div><div>two</div>', 'one\ntwo'],
    ['one<br>two<br/>three<BR />four', 'one\ntwo\nthree\nfour'],
    ['<p>one<br></p><p>two</p>', 'one\ntwo'],
    ['<p>one</p><p><br></p><p>two</p>', 'one\n\ntwo'],
    ['<p>one</p><p>&nbsp;</p><p>two</p>', 'one\n\ntwo'],
    ['<p>one</p>\n\n  <p>two</p>\n', 'one\ntwo'],
    ['before<p>inside</p>after', 'before\ninside\nafter'],
    ['<p>one<p>two', 'one\ntwo'],
    ['<h1>Invoice</h1>May', 'Invoice\nMay'],
  ])('puts paragraphs and line breaks on lines: %s', (html, text) => {
    expect(plainText(html)).toBe(text);
  });

  it.each([
    ['a <b>bold</b> <i>word</i>.', 'a bold word.'],
    ['<b>a</b><i>b</i>', 'ab'],
    ['<span>a </span><span> b</span>', 'a b'],
    ['<p>  a\n\tb  </p>', 'a b'],
    ['<pre>a  b\n\n  c</pre>', 'a  b\n\n  c'],
    ['Payment <script>alert("<p>1</p>")</script>due<style>p { color: red }</style>', 'Payment due'],
    ['<html><head><title>No</title></head><body>Yes</body></html>', 'Yes'],
    ['a<!-- a note <p> -->b<!--[if gte mso 9]><xml>x</xml><![endif]-->c', 'abc'],
    ['<p>Word says<o:p></o:p></p>', 'Word says'],
    ['See <a href="https://example.com/x?a=1&b=2">our terms</a>.', 'See our terms.'],
    ['<img src="x.png" alt="Our logo"> here', 'Our logo here'],
  ])('removes tags and has all words: %s', (html, text) => {
    expect(plainText(html)).toBe(text);
  });

  it.each([
    ['<ul><li>one</li><li>two</li></ul>', '- one\n- two'],
    ['<ul><li>one<li>two</ul>', '- one\n- two'],
    ['Buy:<ul><li><p>one</p></li><li><p>two</p><p>more</p></li></ul>Thanks', 'Buy:\n- one\n- two\n  more\nThanks'],
    ['<ol><li>one</li><li>two</li></ol>', '1. one\n2. two'],
    ['<ol start="5"><li>one</li><li>two</li></ol>', '5. one\n6. two'],
    ['<ul><li>one<ul><li>deep</li></ul></li><li>two</li></ul>', '- one\n  - deep\n- two'],
    ['<ol><li>one<ul><li>deep</li></ul></li><li>two</li></ol>', '1. one\n  - deep\n2. two'],
  ])('puts list items behind dashes or numbers: %s', (html, text) => {
    expect(plainText(html)).toBe(text);
  });

  it.each([
    [
      '<table><thead><tr><th>Item</th><th>Price</th></tr></thead><tbody><tr><td>Nuts</td><td>2.50</td></tr></tbody></table>',
      'Item | Price\nNuts | 2.50',
    ],
    ['<table><tr><td><p>one</p><p>more</p></td><td>a<br>b</td></tr></table>end', 'one more | a b\nend'],
    ['<table><tr><td>a<td><td>c<tr><td>d</table>', 'a | | c\nd'],
  ])('puts table rows on lines: %s', (html, text) => {
    expect(plainText(html)).toBe(text);
  });

  it.each([
    ['Caf&eacute; &amp; bar &#8364;5 &#x20AC;5 &lt;b&gt;', 'Café & bar €5 €5 <b>'],
    ['a&nbsp;b', 'a b'],
    ['&amp;lt;', '&lt;'],
    ['<b>Caf&eacute;</b> &amp; &lt;b&gt;', 'Café & <b>'],
  ])('decodes entities once: %s', (html, text) => {
    expect(plainText(html)).toBe(text);
  });

  it.each([
    '',
    '  two  spaces\n\nand\tlines\r\n ',
    'fish & chips, R&D, AT&T; a &b',
    'https://example.com/?a=1&copy=2&lt=3',
    '2 < 3 and 3 > 2, a<b, <3, <-, <',
    'Piet <piet@example.com>',
    'half a tag <b and no end',
    'a\u00a0b',
  ])('does not change text without tags: %j', (text) => {
    expect(plainText(text)).toBe(text);
  });

  it('has such characters beside tags too', () => {
    expect(plainText('<p>Piet <piet@example.com> R&D 2 < 3</p>')).toBe('Piet <piet@example.com> R&D 2 < 3');
  });

  it('does not change any text without angle brackets and ampersands', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        const plain = text.replace(/[<&]/g, '');
        expect(plainText(plain)).toBe(plain);
      }),
    );
  });

  it('restores any escaped text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        const escaped = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
        expect(plainText(escaped)).toBe(text);
      }),
    );
  });

  it('has every word in order, with any tags around and between them', () => {
    const tags = ['<p>', '</p>', '<br>', '<ul>', '<li>', '</ul>', '<table>', '<tr>', '<td>', '</table>', '<b>', '</b>'];
    const piece = fc.oneof(fc.constantFrom(...tags), fc.constantFrom(' apple ', ' pear ', ' fig '));
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
        const fruit = /apple|pear|fig/g;
        expect(plainText(pieces.join('')).match(fruit)).toEqual(pieces.join('').match(fruit));
      }),
    );
  });

  it.each([
    ['divisions', '<div>'],
    ['bold', '<b>'],
    ['lists', '<ul><li>x'],
    ['tables', '<table><tr><td>x'],
    ['angle brackets', '<'],
    ['tag beginnings', '<b '],
    ['ampersands', '&'],
    ['entities', '&amp;'],
    ['endings', '</p>'],
    ['scripts', '<script>'],
  ])('is fast for a hundred thousand %s', (_what, piece) => {
    expect(plainText(`${piece.repeat(100_000)}<b>end</b>`)).toBeTypeOf('string');
  });

  it('ignores the width of a column', () => {
    expect(plainText('<table><tr><td colspan="1000000000" rowspan="1000000000">a<td>b</table>')).toBe('a | b');
  });
});
