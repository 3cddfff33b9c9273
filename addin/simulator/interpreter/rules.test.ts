import { describe, expect, test } from 'vitest';
import { failure, onEmptySheet } from '../../../testing/addin/emptyWorkbook.ts';

type Write = (sheet: Excel.Worksheet) => void;

const codeOf = async (write: Write): Promise<string> => {
  const attempt = onEmptySheet(async (sheet, context) => {
    write(sheet);
    await context.sync();
  });
  return (await failure(attempt)).code;
};

const validate =
  (rule: object): Write =>
  (sheet) => {
    sheet.getRange('A1:A3').dataValidation.rule = rule as Excel.DataValidationRule;
  };

describe('Validation', () => {
  test('is read as formulas, for the first cell of a range', async () => {
    await onEmptySheet(async (sheet, context) => {
      const rules = {
        A: { wholeNumber: { formula1: 0, operator: 'GreaterThan' } },
        B: { decimal: { formula1: '2.5', formula2: sheet.getRange('F1'), operator: 'Between' } },
        C: { date: { formula1: '2026-11-26', operator: 'LessThan' } },
        D: { custom: { formula: '=LEN(D1)>2' } },
        E: { list: { source: 'one,two' } },
      };
      for (const [column, rule] of Object.entries(rules)) {
        sheet.getRange(`${column}1:${column}3`).dataValidation.rule = rule as Excel.DataValidationRule;
      }
      const read = Object.keys(rules).map((column) => sheet.getRange(`${column}2`).dataValidation.load('rule,type'));
      await context.sync();
      expect(read.map(({ type, rule }) => [type, rule])).toEqual([
        ['WholeNumber', { wholeNumber: { formula1: '=0', operator: 'GreaterThan' } }],
        ['Decimal', { decimal: { formula1: '=2.5', formula2: '=Sheet1!$F$1', operator: 'Between' } }],
        // 26 November 2026 as a number.
        ['Date', { date: { formula1: '=46352', operator: 'LessThan' } }],
        ['Custom', { custom: { formula: '=LEN(D2)>2' } }],
        ['List', { list: { source: 'one,two' } }],
      ]);
    });
  });

  test('of a range is of one type, or inconsistent, or of some cells only', async () => {
    await onEmptySheet(async (sheet, context) => {
      sheet.getRange('A1:A3').dataValidation.rule = { custom: { formula: '=A1>0' } };
      sheet.getRange('A4').dataValidation.rule = { custom: { formula: '=A4>0' } };
      sheet.getRange('B1:B3').dataValidation.rule = { list: { inCellDropDown: true, source: 'one,two' } };
      const read = ['A1:A4', 'A1:B3', 'A1:A5', 'D1:D3'].map((address) =>
        sheet.getRange(address).dataValidation.load('type'),
      );
      await context.sync();
      expect(read.map(({ type }) => type)).toEqual(['Custom', 'Inconsistent', 'MixedCriteria', 'None']);
    });
  });

  test.each<[string, Write]>([
    ['several rules in one', validate({ list: { source: 'a' }, custom: { formula: '=TRUE' } })],
    ['no rule', validate({})],
    ['an unknown kind of rule', validate({ colour: { formula1: 1, operator: 'EqualTo' } })],
    ['an unknown comparison', validate({ wholeNumber: { formula1: 1, operator: 'GreaterThanOrEqual' } })],
    ['nothing to compare with', validate({ wholeNumber: { operator: 'EqualTo' } })],
    ['one of two bounds', validate({ decimal: { formula1: 1, operator: 'NotBetween' } })],
    ['a list of nothing', validate({ list: { inCellDropDown: true, source: '' } })],
    [
      'an unknown style of alert',
      (sheet) => {
        const alert = { message: '', showAlert: true, style: 'Loud' as 'Stop', title: '' };
        sheet.getRange('A1').dataValidation.errorAlert = alert;
      },
    ],
    [
      'a prompt without its text',
      (sheet) => {
        sheet.getRange('A1').dataValidation.prompt = { showPrompt: true } as Excel.DataValidationPrompt;
      },
    ],
  ])('cannot be %s', async (_, write) => {
    expect(await codeOf(write)).toBe('InvalidArgument');
  });
});

test('Validation may ask for a value in blank cells too', async () => {
  await onEmptySheet(async (sheet, context) => {
    const { dataValidation } = sheet.getRange('A1:A3');
    dataValidation.rule = { custom: { formula: '=A1>0' } };
    dataValidation.load('ignoreBlanks');
    await context.sync();
    expect(dataValidation.ignoreBlanks).toBe(true);
    dataValidation.ignoreBlanks = false;
    const one = sheet.getRange('A3').dataValidation.load('ignoreBlanks');
    await context.sync();
    expect(one.ignoreBlanks).toBe(false);
  });
});

describe('A conditional format', () => {
  test('is read as it was set, with its colours as numbers', async () => {
    await onEmptySheet(async (sheet, context) => {
      const range = sheet.getRange('B2:C9');
      const scale = range.conditionalFormats.add('ColorScale').colorScale;
      scale.criteria = {
        minimum: { type: 'LowestValue', color: 'navy' },
        maximum: { type: 'Number', formula: '100', color: '#ff8800' },
      };
      const value = range.conditionalFormats.add('CellValue').cellValue;
      value.rule = { formula1: '=1', formula2: '=5', operator: 'NotBetween' };
      value.format.fill.color = 'Gold';
      value.format.font.bold = true;
      const icons = range.conditionalFormats.add('IconSet').iconSet;
      icons.style = 'FourRating';
      const top = range.conditionalFormats.add('TopBottom').topBottom;
      top.rule = { rank: 3, type: 'BottomItems' };
      scale.load('criteria');
      value.load('rule,format/fill/color,format/font/bold,format/font/color');
      icons.load('style');
      top.load('rule');
      await context.sync();
      expect(scale.criteria).toEqual({
        minimum: { type: 'LowestValue', color: '#000080' },
        maximum: { type: 'Number', formula: '100', color: '#FF8800' },
      });
      expect([value.rule, value.format.fill.color, value.format.font.bold, value.format.font.color]).toEqual([
        { formula1: '=1', formula2: '=5', operator: 'NotBetween' },
        '#FFD700',
        true,
        null,
      ]);
      expect([icons.style, top.rule]).toEqual(['FourRating', { rank: 3, type: 'BottomItems' }]);
    });
  });

  test('is of one type, and null as the others', async () => {
    await onEmptySheet(async (sheet, context) => {
      const formats = sheet.getRange('A1:A9').conditionalFormats;
      const text = formats.add('ContainsText');
      text.textComparison.rule = { operator: 'BeginsWith', text: 'late' };
      const bars = formats.add('DataBar');
      bars.dataBar.barDirection = 'RightToLeft';
      const types = ['ColorScale', 'IconSet', 'Custom', 'CellValue', 'PresetCriteria', 'TopBottom'] as const;
      const all = [text, bars, ...types.map((type) => formats.add(type))];
      const parts = all.map((format) => [
        format.textComparisonOrNullObject,
        format.dataBarOrNullObject,
        format.colorScaleOrNullObject,
        format.iconSetOrNullObject,
        format.customOrNullObject,
        format.cellValueOrNullObject,
        format.presetOrNullObject,
        format.topBottomOrNullObject,
      ]);
      for (const part of parts.flat()) part.load('isNullObject');
      text.textComparison.load('rule');
      bars.dataBar.load('barDirection');
      await context.sync();
      expect(parts.map((one) => one.findIndex(({ isNullObject }) => !isNullObject))).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
      expect(parts.flat().filter(({ isNullObject }) => !isNullObject)).toHaveLength(all.length);
      expect([text.textComparison.rule, bars.dataBar.barDirection]).toEqual([
        { operator: 'BeginsWith', text: 'late' },
        'RightToLeft',
      ]);
    });
  });

  test.each<[string, (formats: Excel.ConditionalFormatCollection) => void]>([
    [
      'a colour that is none',
      (formats) => {
        formats.add('Custom').custom.format.font.color = 'sunny';
      },
    ],
    [
      'an unknown condition',
      (formats) => {
        formats.add('PresetCriteria').preset.rule = { criterion: 'Sometimes' as 'Blanks' };
      },
    ],
    [
      'the comparison of a validation',
      (formats) => {
        const operator = 'GreaterThanOrEqualTo' as 'GreaterThan';
        formats.add('CellValue').cellValue.rule = { formula1: '=1', operator };
      },
    ],
    [
      'a scale with one end',
      (formats) => {
        const criteria = { minimum: { type: 'LowestValue' } } as Excel.ConditionalColorScaleCriteria;
        formats.add('ColorScale').colorScale.criteria = criteria;
      },
    ],
    [
      'a set of two icons',
      (formats) => {
        formats.add('IconSet').iconSet.criteria = [{}, {}] as Excel.ConditionalIconCriterion[];
      },
    ],
  ])('cannot have %s', async (_, change) => {
    expect(await codeOf((sheet) => change(sheet.getRange('A1:A9').conditionalFormats))).toBe('InvalidArgument');
  });
});
