/* ---
title: Read a date
topic: parsing
takes: notation
gives: record
worth: 5
description: Takes an ISO date apart, with its weekday and the day's number in the year, without a
  clock.
methods:
  - name: run
    description: The parts of a date in the Gregorian calendar. A date that does not exist is
      refused.
    input_schema:
      type: object
      properties:
        date: { type: string, description: As in 2026-02-28. }
      required: [date]
    output_schema:
      type: object
      properties:
        year: { type: integer }
        month: { type: integer }
        day: { type: integer }
        weekday: { type: string }
        day_of_year: { type: integer }
        leap_year: { type: boolean }
    examples:
      - args: ["2000-01-01"]
        result: { year: 2000, month: 1, day: 1, weekday: Saturday, day_of_year: 1, leap_year: true }
      - args: ["2026-12-31"]
        result:
          year: 2026
          month: 12
          day: 31
          weekday: Thursday
          day_of_year: 365
          leap_year: false
      - args: ["2024-02-29"]
        result:
          year: 2024
          month: 2
          day: 29
          weekday: Thursday
          day_of_year: 60
          leap_year: true
  - name: days_between
    description: Days from one date to another; negative when the second is earlier.
    input_schema:
      type: object
      properties:
        from: { type: string, description: As in 2026-02-28. }
        to: { type: string, description: As in 2026-03-01. }
      required: [from, to]
    output_schema: { type: integer }
    examples:
      - args: ["2026-02-28", "2026-03-01"]
        result: 1
      - args: ["2000-03-01", "1999-03-01"]
        result: -366
--- */
function run(date) {
  const { year, month, day } = _parts(date);
  const weekdays = "Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split(" ");
  const days = _dayNumber(year, month, day);
  return {
    year,
    month,
    day,
    weekday: weekdays[(days - 1) % 7],
    day_of_year: days - _dayNumber(year, 1, 1) + 1,
    leap_year: _isLeap(year),
  };
}

function days_between(from, to) {
  const [start, end] = [_parts(from), _parts(to)];
  return _dayNumber(end.year, end.month, end.day) - _dayNumber(start.year, start.month, start.day);
}

function _parts(date) {
  const match = typeof date === "string" ? /^(\d{4})-(\d{2})-(\d{2})$/.exec(date) : null;
  const [year, month, day] = match === null ? [0, 0, 0] : match.slice(1).map(Number);
  if (year < 1 || month < 1 || month > 12 || day < 1 || day > _monthLength(year, month)) {
    kernel.fail("bad_input", "a date must be a real day written year-month-day: 2026-02-28");
  }
  return { year, month, day };
}

// Days since the end of the year 0; the first of January of the year 1 is day 1, a Monday.
function _dayNumber(year, month, day) {
  const past = year - 1;
  let days = past * 365 + Math.floor(past / 4) - Math.floor(past / 100) + Math.floor(past / 400);
  for (let earlier = 1; earlier < month; earlier += 1) {
    days += _monthLength(year, earlier);
  }
  return days + day;
}

function _monthLength(year, month) {
  return month === 2 && _isLeap(year)
    ? 29
    : [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1];
}

function _isLeap(year) {
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
}
