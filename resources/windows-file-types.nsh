; Offers Tieout under "Open with" for bank files, evidence packs and archive exports, without changing the default programs.

!macro defineFileType PROGID DESCRIPTION
  WriteRegStr SHELL_CONTEXT "Software\Classes\${PROGID}" "" "${DESCRIPTION}"
  WriteRegStr SHELL_CONTEXT "Software\Classes\${PROGID}\DefaultIcon" "" "$INSTDIR\${APP_EXECUTABLE_FILENAME},0"
  WriteRegStr SHELL_CONTEXT "Software\Classes\${PROGID}\shell\open\command" "" '"$INSTDIR\${APP_EXECUTABLE_FILENAME}" "%1"'
!macroend

!macro addToOpenWith EXT PROGID
  WriteRegNone SHELL_CONTEXT "Software\Classes\.${EXT}\OpenWithProgids" "${PROGID}"
!macroend

!macro removeFromOpenWith EXT PROGID
  DeleteRegValue SHELL_CONTEXT "Software\Classes\.${EXT}\OpenWithProgids" "${PROGID}"
!macroend

!macro forEachFileType MACRO
  !insertmacro ${MACRO} "csv" "Tieout.BankFile"
  !insertmacro ${MACRO} "tsv" "Tieout.BankFile"
  !insertmacro ${MACRO} "txt" "Tieout.BankFile"
  !insertmacro ${MACRO} "xlsx" "Tieout.BankFile"
  !insertmacro ${MACRO} "xml" "Tieout.BankFile"
  !insertmacro ${MACRO} "ofx" "Tieout.BankFile"
  !insertmacro ${MACRO} "qfx" "Tieout.BankFile"
  !insertmacro ${MACRO} "qbo" "Tieout.BankFile"
  !insertmacro ${MACRO} "qif" "Tieout.BankFile"
  !insertmacro ${MACRO} "sta" "Tieout.BankFile"
  !insertmacro ${MACRO} "mt940" "Tieout.BankFile"
  !insertmacro ${MACRO} "940" "Tieout.BankFile"
  !insertmacro ${MACRO} "zip" "Tieout.EvidencePack"
!macroend

; Tells the Explorer that file types have changed (SHCNE_ASSOCCHANGED).
!macro refreshFileTypes
  System::Call 'shell32::SHChangeNotify(i 0x08000000, i 0x1000, p 0, p 0)'
!macroend

!macro customInstall
  !insertmacro defineFileType "Tieout.BankFile" "Bank file"
  !insertmacro defineFileType "Tieout.EvidencePack" "Evidence pack or archive export"
  !insertmacro forEachFileType addToOpenWith
  !insertmacro refreshFileTypes
!macroend

!macro customUnInstall
  !insertmacro forEachFileType removeFromOpenWith
  DeleteRegKey SHELL_CONTEXT "Software\Classes\Tieout.BankFile"
  DeleteRegKey SHELL_CONTEXT "Software\Classes\Tieout.EvidencePack"
  !insertmacro refreshFileTypes
!macroend
