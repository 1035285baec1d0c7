export { ALARMS, type AlarmName, type HealthBounds } from "./alarm.ts";
export { AlarmBell } from "./alarm-bell.ts";
export { HealthMonitor } from "./health-monitor.ts";
