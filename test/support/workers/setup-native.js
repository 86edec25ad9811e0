/** Runs before each test file that Node loads; what it imports runs once a process. */
import "./native-files.js";
